import type { ClientRequest, Reply } from '../exchange.ts'

/** Bytes that are here, or the one range of them that the client asks for (RFC 9110, 14). */
export function sliced(bytes: Buffer, { headers }: Pick<ClientRequest, 'headers'>): Reply {
  const whole = { status: 200, headers: { 'accept-ranges': 'bytes' }, body: bytes }
  const range = headers['if-range'] === undefined ? headers.range : undefined
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return whole
  const { length } = bytes
  const start = from === '' ? Math.max(length - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  if (start >= length || (to !== '' && from !== '' && Number(to) < start)) {
    return { status: 416, headers: { 'content-range': `bytes */${length}` }, body: null }
  }
  return {
    status: 206,
    headers: { 'accept-ranges': 'bytes', 'content-range': `bytes ${start}-${end}/${length}` },
    body: bytes.subarray(start, end + 1),
  }
}
