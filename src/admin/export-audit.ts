import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { AuditLog } from './audit.ts'
import { type AuditRange, auditLines, parseTime } from './audit-lines.ts'

/** Exports that a process streams at the same time. Each holds one page. */
const mostExports = 4

/** A client that takes nothing for so many milliseconds loses its export. */
const idleMs = 60_000

/** Answers `GET /audit.ndjson?from=&to=`. */
type AuditExport = (url: string, response: ServerResponse) => Promise<void>

/**
 * Streams the audit log as NDJSON; a slow client slows down the reading. A store that fails after the first
 * page ends the connection, so that no client takes a part for the whole.
 */
export function createAuditExport(audit: Pick<AuditLog, 'scan'>): AuditExport {
  let running = 0
  return async (url, response) => {
    const range = rangeOf(new URL(url, 'http://admin').searchParams)
    if (!range) return answer(response, 400, 'INVALID', '`from` and `to` are times in ISO 8601.')
    if (running >= mostExports) {
      response.setHeader('retry-after', '10')
      return answer(response, 429, 'TOO_MANY_EXPORTS', 'Too many exports are running.')
    }
    running++
    try {
      await stream(auditLines(audit, range), response)
    } finally {
      running--
    }
  }
}

async function stream(lines: AsyncGenerator<string>, response: ServerResponse): Promise<void> {
  let first
  try {
    first = await lines.next()
  } catch {
    return answer(response, 503, 'STORE_UNAVAILABLE', 'The store does not answer.')
  }
  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'content-disposition': 'attachment; filename="audit.ndjson"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.setTimeout(idleMs, () => void response.destroy())
  const all = async function* () {
    if (!first.done) yield first.value
    yield* lines
  }
  // The client is gone, or the store has failed: the connection has ended either way.
  await pipeline(Readable.from(all(), { highWaterMark: 1 }), response).catch(() => {})
}

function answer(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ errors: [{ message, extensions: { code } }] }))
}

/** `undefined` if a time is not valid. */
function rangeOf(query: URLSearchParams): AuditRange | undefined {
  const [from, to] = ['from', 'to'].map((name) => parseTime(query.get(name)))
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to }
}
