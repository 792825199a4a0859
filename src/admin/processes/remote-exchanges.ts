import { z } from 'zod'

import { endedExchange, exchangeFacts } from '../live/events.ts'
import type { BroadcastResult, Command } from './broadcast.ts'
import {
  type EndedExchange,
  type ExchangeFacts,
  type ExchangeFilter,
  exchangeOutcomes,
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

/** The longest text of a question, in characters. */
export const longestWord = 512

const word = z.optional(z.string().max(longestWord))
const moment = z.optional(z.number())
const filterInput = z.object({
  keyId: word,
  team: word,
  accountId: word,
  triedAccountId: word,
  model: word,
  dialect: word,
  outcome: z.optional(z.array(z.enum(exchangeOutcomes)).max(exchangeOutcomes.length)),
  minMs: moment,
  from: moment,
  to: moment,
})
const pageInput = z.object({
  after: word,
  limit: z.number().int().min(1).max(101),
  filter: filterInput,
})

const oneInput = z.object({ id: z.string().max(longestWord) })
const oneResult = z.object({ live: z.optional(exchangeFacts), ended: z.optional(endedExchange) })

/** Lets other processes ask this one for its exchanges. */
export function answerForExchanges({ handle, monitor }: Processes): void {
  handle('exchanges', (input) => inFlightOf(monitor, filterInput.parse(input)))
  handle('recent', (input) => recentOf(monitor, pageInput.parse(input)))
  handle('exchange', (input) => oneOf(monitor, oneInput.parse(input).id))
}

/** The exchanges in flight of all processes, the oldest first. `asker` is whose question it is. */
export async function gatherInFlight(
  processes: Processes,
  asker: string,
  filter: ExchangeFilter,
): Promise<Gathered<ExchangeFacts>> {
  const { exchanges, unanswered } = await gather(
    processes,
    asker,
    { kind: 'exchanges', input: { ...filter } },
    exchangeFacts,
  )
  return { exchanges: exchanges.toSorted((a, b) => a.startedAt - b.startedAt), unanswered }
}

/** A page of the ended exchanges of all processes, the newest first. `asker` is whose question it is. */
export async function gatherRecent(
  processes: Processes,
  asker: string,
  page: RecentPage,
): Promise<Gathered<EndedExchange>> {
  const input = { ...page, filter: { ...page.filter } }
  const command = { kind: 'recent', input }
  const { exchanges, unanswered } = await gather(processes, asker, command, endedExchange)
  const sorted = exchanges.toSorted(newestFirst)
  return { exchanges: sorted.slice(0, page.limit), unanswered }
}

/** What the processes know of one exchange, in flight or ended. */
export async function gatherOne(processes: Processes, asker: string, id: string) {
  const command = { kind: 'exchange', input: { id } }
  const { outcomes, unanswered } = await askOnce(processes, asker, command)
  let live: (ExchangeFacts & { processId: string }) | undefined
  let ended: (EndedExchange & { processId: string }) | undefined
  for (const { processId, result } of outcomes) {
    const found = oneResult.safeParse(result).data
    if (found?.live) live = { ...found.live, processId }
    if (found?.ended) ended = { ...found.ended, processId }
  }
  return { live, ended, unanswered }
}

/** The position of an ended exchange in the list: later ones have greater cursors. */
export function recentCursor({ endedAt, id }: Pick<EndedExchange, 'endedAt' | 'id'>): string {
  return `${String(endedAt).padStart(15, '0')}-${id}`
}

/** The form of the cursors of the list. An application that embeds the gateway may choose the ids. */
export const recentCursorForm = /^\d{15,16}-./s

/** Asks all processes. Only this one while too many commands wait. */
async function gather<Exchange>(
  processes: Processes,
  asker: string,
  command: Command,
  schema: z.ZodType<Exchange>,
): Promise<Gathered<Exchange>> {
  const { outcomes, unanswered } = await askOnce(processes, asker, command)
  const exchanges = outcomes.flatMap(({ processId, result }) => {
    const entries = Array.isArray(result) ? result.slice(0, mostInFlight) : []
    return entries.flatMap((entry: unknown) => {
      const { data } = schema.safeParse(entry)
      return data ? [{ ...data, processId }] : []
    })
  })
  return { exchanges, unanswered }
}

/** The questions that wait for answers, by process, asker and question. */
const waiting = new Map<string, Promise<BroadcastResult>>()

/** One operation may ask the same many times: equal questions of an asker at the same time are one. */
async function askOnce(
  processes: Processes,
  asker: string,
  command: Command,
): Promise<BroadcastResult> {
  const question = JSON.stringify([processes.id, asker, command])
  const asked = waiting.get(question) ?? processes.ask(command, { asker, deadlineMs })
  waiting.set(question, asked)
  try {
    return await asked
  } finally {
    waiting.delete(question)
  }
}

function inFlightOf(monitor: Monitor, filter: ExchangeFilter): ExchangeFacts[] {
  const found: ExchangeFacts[] = []
  const all = monitor.inFlight.filter(isShown).toSorted((one, other) => {
    // Requests without a valid key must not hide the others.
    const ofCallersFirst = Number(!one.caller) - Number(!other.caller)
    return ofCallersFirst || one.receivedAt - other.receivedAt
  })
  for (const exchange of all) {
    if (found.length === mostInFlight) break
    const facts = factsOf(exchange)
    if (passes(facts, filter)) found.push(facts)
  }
  return found
}

/** In the order of their cursors, which differs a little from the order of their ends. */
function recentOf(monitor: Monitor, { after, limit, filter }: RecentPage): EndedExchange[] {
  return [...monitor.recent()]
    .filter((one) => passes(one, filter) && (after === undefined || recentCursor(one) < after))
    .toSorted(newestFirst)
    .slice(0, limit)
}

function oneOf(monitor: Monitor, id: string): z.infer<typeof oneResult> {
  const live = monitor.inFlight.find((one) => one.id === id)
  if (live) return { live: factsOf(live) }
  const ended = [...monitor.recent()].find((one) => one.id === id)
  return ended ? { ended } : {}
}

function newestFirst(one: EndedExchange, other: EndedExchange): number {
  return recentCursor(one) < recentCursor(other) ? 1 : -1
}
