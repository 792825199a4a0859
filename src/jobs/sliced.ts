import type { ClientRequest, Reply } from '../exchange.ts'
import { readRange } from '../storage/range.ts'

/** Bytes that are here, or the one range of them that the client asks for (RFC 9110, 14). */
export function sliced(bytes: Buffer, request: Pick<ClientRequest, 'method' | 'headers'>): Reply {
  const headers = { 'accept-ranges': 'bytes' }
  const { length } = bytes
  const range = readRange(wantedOf(request), length)
  if (range === undefined) return { status: 200, headers, body: bytes }
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { 'content-range': `bytes */${length}` }, body: null }
  }
  const { start, end } = range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${length}` },
    body: bytes.subarray(start, end + 1),
  }
}

/** These bytes have no name that a client could know the beginning of by. */
function wantedOf({ method, headers }: Pick<ClientRequest, 'method' | 'headers'>) {
  return method === 'GET' && headers['if-range'] === undefined ? headers.range : undefined
}
