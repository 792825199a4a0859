import { z } from 'zod'

import { StoreUnavailable } from '../../stores/store.ts'
import { endedExchange, exchangeFacts } from '../live/events.ts'
import {
  type EndedExchange,
  type ExchangeFacts,
  type ExchangeFilter,
  factsOf,
  isShown,
  passes,
} from './exchanges.ts'
import type { Processes } from './index.ts'
import type { Monitor } from './monitor.ts'

/** Exchanges in flight that one process shows: the oldest. */
const mostInFlight = 200

/** How long the processes may take, in milliseconds. */
const deadlineMs = 2_000

/** Exchanges of all processes. */
interface Gathered<Exchange> {
  readonly exchanges: readonly (Exchange & { readonly processId: string })[]
  /** The ids of processes that did not answer in time. */
  readonly unanswered: readonly string[]
}

/** The page of a list of ended exchanges. */
interface RecentPage {
  readonly after?: string | undefined
  readonly limit: number
  readonly filter: ExchangeFilter
}

const word = z.optional(z.string().max(512))
const filterInput = z.object({ keyId: word, accountId: word, model: word, dialect: word })
const pageInput = z.object({
  after: word,
  limit: z.number().int().min(1).max(101),
  filter: filterInput,
})

/** Lets other processes ask this one for its exchanges. */
export function answerForExchanges({ handle, monitor }: Processes): void {
  handle('exchanges', (input) => inFlightOf(monitor, filterInput.parse(input)))
  handle('recent', (input) => recentOf(monitor, pageInput.parse(input)))
}

/** The exchanges in flight of all processes, the oldest first. */
export async function gatherInFlight(
  processes: Processes,
  filter: ExchangeFilter,
): Promise<Gathered<ExchangeFacts>> {
  const { exchanges, unanswered } = await gather(
    processes,
    { kind: 'exchanges', input: { ...filter } },
    exchangeFacts,
  )
  return { exchanges: exchanges.toSorted((a, b) => a.startedAt - b.startedAt), unanswered }
}

/** A page of the ended exchanges of all processes, the newest first. */
export async function gatherRecent(
  processes: Processes,
  page: RecentPage,
): Promise<Gathered<EndedExchange>> {
  const command = { kind: 'recent', input: { ...page, filter: { ...page.filter } } }
  const { exchanges, unanswered } = await gather(processes, command, endedExchange)
  const sorted = exchanges.toSorted((a, b) => (recentCursor(a) < recentCursor(b) ? 1 : -1))
  return { exchanges: sorted.slice(0, page.limit), unanswered }
}

/** The position of an ended exchange in the list: later ones have greater cursors. */
export function recentCursor({ endedAt, id }: Pick<EndedExchange, 'endedAt' | 'id'>): string {
  return `${String(endedAt).padStart(15, '0')}-${id}`
}

/** Asks all processes. Without the store, only this one. */
async function gather<Exchange>(
  processes: Processes,
  command: { kind: string; input: Record<string, unknown> },
  schema: z.ZodType<Exchange>,
): Promise<Gathered<Exchange>> {
  const outcomes = await processes.broadcast(command, { deadlineMs }).catch(async (error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    const { processes: known } = await processes.view()
    const ids = known.map(({ id }) => id).filter((id) => id !== processes.id)
    // Others may exist that were never seen.
    const missing = ids.length > 0 ? ids : ['unknown']
    return [
      ...(await processes.broadcast(command, { only: processes.id })),
      ...missing.map((processId) => ({ processId, status: 'UNANSWERED', result: undefined })),
    ]
  })
  const exchanges = outcomes.flatMap(({ processId, result }) => {
    const entries = Array.isArray(result) ? result.slice(0, mostInFlight) : []
    return entries.flatMap((entry: unknown) => {
      const { data } = schema.safeParse(entry)
      return data ? [{ ...data, processId }] : []
    })
  })
  const unanswered = outcomes.filter(({ status }) => status !== 'DONE')
  return { exchanges, unanswered: unanswered.map(({ processId }) => processId) }
}

function inFlightOf(monitor: Monitor, filter: ExchangeFilter): ExchangeFacts[] {
  return monitor.inFlight
    .filter(isShown)
    .map(factsOf)
    .filter((facts) => passes(facts, filter))
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .slice(0, mostInFlight)
}

function recentOf(monitor: Monitor, { after, limit, filter }: RecentPage): EndedExchange[] {
  const found: EndedExchange[] = []
  for (const exchange of monitor.recent()) {
    if (found.length >= limit) break
    const isBehind = after === undefined || recentCursor(exchange) < after
    if (isBehind && passes(exchange, filter)) found.push(exchange)
  }
  return found
}
