import type { Socket } from 'node:net'

const starts = ['HTTP/1.1 100', 'HTTP/1.0 100'] as const
/** The end of the head of an interim `100 Continue`, which may have headers. */
const blankLine = '\r\n\r\n'
/** The longest head of an interim reply, in bytes. A longer one is left to the HTTP parser. */
const longestHead = 16 * 1024
/** The most interim replies to a request. The HTTP parser gets the next one, and undici breaks the connection. */
const mostReplies = 16

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
  let skipped = 0
  socket.read = (size?: number) => {
    const bytes = read(size)
    if (!connection.awaitsHead || bytes === null) return bytes
    let rest = held ? Buffer.concat([held, bytes]) : bytes
    held = undefined
    while (isInterim(rest)) {
      const end = endOfHead(rest)
      if (end === undefined) {
        held = rest
        return null
      }
      if (end === 0 || skipped === mostReplies) break
      rest = rest.subarray(end)
      skipped++
    }
    skipped = 0
    connection.awaitsHead = false
    return rest
  }
}

/** The end of the head at the beginning; `undefined` if it takes more bytes to say, 0 if it is too long. */
function endOfHead(bytes: Buffer): number | undefined {
  const found = bytes.subarray(0, longestHead).indexOf(blankLine)
  if (found < 0) return bytes.length < longestHead ? undefined : 0
  return found + blankLine.length
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
