import { Problem } from './problem.ts'
import type { ContentReply } from './provider.ts'

/** Replies with a file, or with the range in a `Range` header. Throws a 416 beyond the end. */
export function renderContent(
  file: { bytes: Buffer; type: string; name: string },
  range: string | undefined,
): ContentReply {
  const { bytes, type, name } = file
  const headers = {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'accept-ranges': 'bytes',
  }
  const requested = range === undefined ? undefined : readRange(range, bytes.length)
  if (!requested) return { content: bytes, status: 200, headers }
  const { first, last } = requested
  return {
    content: bytes.subarray(first, last + 1),
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
  }
}

// As HTTP says, a header other than a single range of bytes is ignored.
function readRange(range: string, size: number): { first: number; last: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < first) return undefined
  if (first >= size)
    throw new Problem(416, 'Requested range not satisfiable', {
      headers: { 'content-range': `bytes */${size}` },
    })
  return { first, last }
}
