import { WebSocket } from 'ws'

import { defineDialect } from '../../src/contract/dialect.ts'
import { defineOperation } from '../../src/contract/operation.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import type { ReplyReader } from '../../src/contract/socket.ts'
import { acceptSocket } from '../../src/kit/accept-socket.ts'
import { bearer } from '../../src/kit/credential.ts'
import { errorEnvelope } from '../../src/kit/error-envelope.ts'

/** A dialect with a socket that returns each message, and sends a request for one that begins with a slash. */
const dialect = defineDialect({
  id: 'echo',
  credential: bearer,
  error: errorEnvelope,
  operations: [
    defineOperation({
      id: 'echo.connect',
      method: 'GET',
      paths: ['/echo'],
      auth: 'key',
      summary: 'Opens a socket that returns what it gets',
      upgrades: true,
      serve: (exchange) =>
        acceptSocket(
          exchange as Parameters<typeof acceptSocket>[0],
          (socket) => ({
            onMessage(text) {
              const path = text.toString()
              if (!path.startsWith('/')) return void socket.send(text)
              const reader: ReplyReader = {
                onHead: (status) => void socket.send(`status ${status}`),
                onBytes: (bytes) => socket.send(bytes),
                onEnd: (isWhole) => void socket.send(`whole ${isWhole}`),
              }
              socket.request({ method: 'GET', path, body: Buffer.alloc(0) }, reader)
            },
            onReady() {},
            onEnding: (cause) => socket.close(1001, cause),
            onClose() {},
          }),
          exchange.request.headers['sec-websocket-protocol'] && 'echo',
        ),
    }),
  ],
})

/** The plugin of the dialect. */
export const echo = definePlugin({ name: 'echo', dialects: [dialect] })

/** A client that keeps what it gets. */
export interface EchoClient extends AsyncDisposable {
  readonly socket: WebSocket
  readonly texts: string[]
  /** Resolves with the code and the reason of the close frame. */
  readonly closed: Promise<readonly [code: number, reason: string]>
  /** Sends a message and resolves with the next one that arrives. */
  ask(text: string): Promise<string>
  /** Resolves with the next message. */
  next(): Promise<string>
}

/** Connects to a path. Rejects with the status and the body of a refusal. */
export function connect(
  url: string,
  {
    key,
    protocols = [],
    headers = {},
    options = {},
  }: {
    key?: string
    protocols?: string[]
    headers?: Record<string, string>
    options?: ConstructorParameters<typeof WebSocket>[2]
  } = {},
): Promise<EchoClient> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, {
    perMessageDeflate: false,
    ...options,
    headers: { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  })
  const texts: string[] = []
  const waiting: ((text: string) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    texts.push(text)
    waiting.shift()?.(text)
  })
  const closed = new Promise<readonly [number, string]>((resolve) => {
    socket.once('close', (code, reason) => resolve([code, reason.toString()]))
  })
  const next = () => new Promise<string>((resolve) => waiting.push(resolve))
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.on('error', () => {})
      resolve({
        socket,
        texts,
        closed,
        next,
        ask(text) {
          const answer = next()
          socket.send(text)
          return answer
        },
        async [Symbol.asyncDispose]() {
          socket.terminate()
          await closed
        },
      })
    })
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        reject(new Error(`${response.statusCode} ${Buffer.concat(chunks).toString()}`)),
      )
    })
  })
}
