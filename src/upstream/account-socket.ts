import { hash, randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'

import { WebSocket } from 'ws'

/** RFC 6455, section 1.3. */
const suffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The headers of a handshake, and the answer to its key. */
export function newHandshake(): {
  readonly headers: Readonly<Record<string, string>>
  readonly accept: string
} {
  const key = randomBytes(16).toString('base64')
  const headers = { 'sec-websocket-version': '13', 'sec-websocket-key': key }
  return { headers, accept: hash('sha1', key + suffix, 'base64') }
}

/** How long a socket waits for the account's close frame, in milliseconds. */
const closeMs = 5_000

/** The pieces of a message, each of which takes memory besides its bytes: as many as `ws` takes from clients. */
const mostPieces = { maxFragments: 16 * 1024, maxBufferedChunks: 256 * 1024 }

/** What `ws` itself uses where it opens a socket. */
interface Openable {
  _isServer: boolean
  setSocket(connection: Duplex, head: Buffer, options: object): void
}

/**
 * A WebSocket over a connection whose handshake is over. `ws` makes clients only over connections of its own, which know
 * nothing of an account's proxy, certificates and forbidden addresses.
 */
export function openAccountSocket(connection: Duplex, mostBytes: number): WebSocket {
  const socket = new WebSocket(null as unknown as URL, undefined, {
    closeTimeout: closeMs,
  } as object)
  const opened = socket as unknown as Openable
  opened._isServer = false
  opened.setSocket(connection, Buffer.alloc(0), {
    allowSynchronousEvents: true,
    maxPayload: mostBytes,
    ...mostPieces,
    skipUTF8Validation: false,
  })
  return socket
}
