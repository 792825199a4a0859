import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { StoreUnavailable } from '../stores/store.ts'
import { describeActor } from './context.ts'
import type { AuditLog, AuditTarget } from '../audit/log.ts'
import { type AuditRange, auditLines, parseTime } from '../audit/lines.ts'
import type { AdminRequest } from './http/admin-request.ts'
import type { Principal } from './principal.ts'

/** Exports that a process streams at the same time. Each holds one page. */
const mostExports = 4

/** A client that takes nothing for so many milliseconds loses its export. */
const idleMs = 60_000

/** Answers `GET /audit.ndjson?from=&to=`. */
type AuditExport = (incoming: AdminRequest, principal: Principal) => Promise<void>

/**
 * Streams the audit log as NDJSON; a slow client slows down the reading. A store that fails after the first
 * page ends the connection, so that no client takes a part for the whole. An export is in the log itself. It
 * has the records up to its beginning, may take `exportMs` milliseconds, and each principal has one at a time.
 */
export function createAuditExport(
  audit: Pick<AuditLog, 'positions' | 'note'>,
  exportMs: number,
): AuditExport {
  const running = new Set<string>()
  return async ({ request, response, requestId, client, agent }, principal) => {
    const range = rangeOf(new URL(request.url ?? '', 'http://admin').searchParams)
    if (!range) return answer(response, 400, 'INVALID', '`from` and `to` are times in ISO 8601.')
    if (running.size >= mostExports || running.has(principal.id)) {
      response.setHeader('retry-after', '10')
      return answer(response, 429, 'TOO_MANY_EXPORTS', 'Too many exports are running.')
    }
    running.add(principal.id)
    try {
      const actor = describeActor({ principal, requestId, address: client.address, agent })
      await audit.note({
        ...actor,
        action: 'audit.export',
        target: targetOf(range),
        result: 'DONE',
      })
      const [newest] = await audit.positions({ limit: 1, newestFirst: true })
      const lines = auditLines(audit, { ...range, last: newest?.cursor })
      await stream(lines, response, AbortSignal.timeout(exportMs))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return storeAway(response)
    } finally {
      running.delete(principal.id)
    }
  }
}

async function stream(
  lines: AsyncGenerator<string>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  let first
  try {
    first = await lines.next()
  } catch {
    return storeAway(response)
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
  // The client is gone, the store has failed, or the time is over: the connection has ended in any case.
  await pipeline(Readable.from(all(), { highWaterMark: 1 }), response, { signal }).catch(() => {})
}

function storeAway(response: ServerResponse): void {
  return answer(response, 503, 'STORE_UNAVAILABLE', 'The store does not answer.')
}

/** The part of the log that is exported. */
function targetOf({ from, to }: AuditRange): AuditTarget {
  const textOf = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString())
  return { type: 'audit', id: `${textOf(from)}/${textOf(to)}` }
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
