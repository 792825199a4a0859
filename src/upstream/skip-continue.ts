import type { Socket } from 'node:net'

/** The head of an interim `100 Continue`, which may have headers, up to its blank line. */
const interim = /^HTTP\/1\.[01] 100[^]*?\r\n\r\n/
const starts = ['HTTP/1.1 100', 'HTTP/1.0 100'] as const
/** As many bytes tell an interim reply from another one. */
const startLength = starts[0].length
/** The longest head of an interim reply, in bytes. A longer one is left to the HTTP parser. */
const longestHead = 16 * 1024

/** A connection that may await a reply. */
export interface AwaitingConnection {
  /** Whether no byte of the reply to its request has arrived, interim replies apart. */
  awaitsHead: boolean
}

/**
 * Removes `100 Continue` from the bytes that a socket reads while its connection awaits the head of a
 * reply. A server may send it unasked (RFC 9110, 15.2.1), and undici breaks the connection for it.
 */
export function skipContinue(socket: Socket, connection: AwaitingConnection): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    const bytes = read(size)
    if (!connection.awaitsHead || bytes === null) return bytes
    const all = held ? Buffer.concat([held, bytes]) : bytes
    const rest = withoutContinue(all)
    held = rest ? undefined : all
    if (!rest) return null
    connection.awaitsHead = false
    return rest
  }
}

/** The bytes after all interim replies at the beginning; `undefined` if it takes more bytes to say. */
function withoutContinue(bytes: Buffer): Buffer | undefined {
  let rest = bytes
  while (isInterim(rest)) {
    if (rest.length < startLength) return undefined
    const head = interim.exec(rest.toString('latin1', 0, longestHead))
    if (!head) return rest.length < longestHead ? undefined : rest
    rest = rest.subarray(head[0].length)
  }
  return rest
}

/** The place of the first digit of the status. */
const statusAt = 9
const digitOne = 0x31

/** Whether bytes begin an interim reply, as far as they go. No bytes may begin anything. */
function isInterim(bytes: Buffer): boolean {
  if (bytes.length > statusAt && bytes[statusAt] !== digitOne) return false
  const start = bytes.toString('latin1', 0, starts[0].length)
  return starts.some((one) => one.startsWith(start))
}
