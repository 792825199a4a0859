import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { auditLines, parseTime } from '../audit/lines.ts'
import { ledgerLines, usageLines } from '../history/export.ts'
import { TooMuch } from '../history/read-sums.ts'
import { type UsageDimension, dimensions } from '../history/usage.ts'
import { StoreUnavailable } from '../stores/store.ts'
import { describeActor } from './context.ts'
import type { AdminRequest } from './http/admin-request.ts'
import type { Principal } from './principal.ts'
import type { AdminServices } from './services.ts'

/** Exports that a process streams at the same time. Each holds one page. */
const mostExports = 4

/** A client that takes nothing for so many milliseconds loses its export. */
const idleMs = 60_000

/** What an export is about. Absent times: open. */
interface Asked {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly by: readonly UsageDimension[]
}

/** The parts of the process that exports read. */
type Sources = Pick<AdminServices, 'audit' | 'now'> & {
  readonly running: Pick<AdminServices['running'], 'store'>
}

/** A file that operators download. */
interface Export {
  /** The noun of its acts in the audit log. */
  readonly noun: string
  readonly type: string
  lines(sources: Sources, asked: Asked, signal: AbortSignal): Promise<AsyncGenerator<string>>
}

const dayMs = 24 * 60 * 60_000

/** The exports by their paths. A role that may read what is in them may export it. */
const exports: Readonly<Record<string, Export>> = {
  '/audit.ndjson': {
    noun: 'audit',
    type: 'application/x-ndjson',
    async lines({ audit }, { from, to }) {
      const [newest] = await audit.positions({ limit: 1, newestFirst: true })
      return auditLines(audit, { from, to, last: newest?.cursor })
    },
  },
  '/ledger.ndjson': {
    noun: 'ledger',
    type: 'application/x-ndjson',
    lines: async ({ running }, asked) => ledgerLines(running.store.ledger(), asked),
  },
  '/usage.csv': {
    noun: 'usage',
    type: 'text/csv; charset=utf-8',
    async lines({ running, now }, { from, to = now(), by }, signal) {
      const range = { from: Math.max(from ?? to - 30 * dayMs, to - 400 * dayMs), to }
      return usageLines(running.store.ledger(), { ...range, by, now: now() }, signal)
    },
  },
}

/** Whether a path is one of an export. */
export function isExport(path: string): boolean {
  return Object.hasOwn(exports, path)
}

/** Answers `GET` of the path of an export. */
type AnswerExport = (incoming: AdminRequest, principal: Principal, path: string) => Promise<void>

/**
 * Streams exports; a slow client slows down the reading. A store that fails after the first page ends the connection, so
 * that no client takes a part for the whole. An export is in the audit log. It has the records up to its beginning, may
 * take `exportMs` milliseconds, and each principal has one at a time.
 */
export function createExports(sources: Sources, exportMs: number): AnswerExport {
  const running = new Set<string>()
  return async ({ request, response, requestId, client, agent }, principal, path) => {
    const { noun, type, lines } = exports[path]!
    const asked = askedOf(new URL(request.url ?? '', 'http://admin').searchParams)
    if (typeof asked === 'string') return answer(response, 400, 'INVALID', asked)
    if (running.size >= mostExports || running.has(principal.id)) {
      response.setHeader('retry-after', '10')
      return answer(response, 429, 'TOO_MANY_EXPORTS', 'Too many exports are running.')
    }
    running.add(principal.id)
    try {
      const actor = describeActor({ principal, requestId, address: client.address, agent })
      await sources.audit.note({
        ...actor,
        action: `${noun}.export`,
        target: { type: noun, id: describeTime(asked) },
        result: 'DONE',
      })
      const signal = AbortSignal.timeout(exportMs)
      const content = { type, name: path.slice(1) }
      await stream(await lines(sources, asked, signal), response, { ...content, signal })
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
  {
    type,
    name,
    signal,
  }: { readonly type: string; readonly name: string; readonly signal: AbortSignal },
): Promise<void> {
  let first
  try {
    first = await lines.next()
  } catch (error) {
    if (error instanceof TooMuch) return answer(response, 400, 'INVALID', error.message)
    return storeAway(response)
  }
  response.writeHead(200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
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

/** The time that is exported. */
function describeTime({ from, to }: Asked): string {
  const textOf = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString())
  return `${textOf(from)}/${textOf(to)}`
}

function answer(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ errors: [{ message, extensions: { code } }] }))
}

/** What a query asks for, or why it is not valid. */
function askedOf(query: URLSearchParams): Asked | string {
  const [from, to] = ['from', 'to'].map((name) => parseTime(query.get(name)))
  if (Number.isNaN(from) || Number.isNaN(to)) return '`from` and `to` are times in ISO 8601.'
  const words = (query.get('by') || 'day,key,model').toUpperCase().split(',')
  const by = dimensions.filter((one) => words.includes(one))
  if (by.length < words.length) return '`by` has some of day, hour, key, team, model and account.'
  return { from, to, by }
}
