import { z } from 'zod'

import type { BroadcastResult, Command } from './broadcast.ts'
import { type ExchangeFilter, exchangeOutcomes, passes } from './exchange-filter.ts'
import { endedExchange, liveExchange } from './exchange-schema.ts'
import { type EndedExchange, type LiveExchange, factsOf, isShown } from './exchanges.ts'
import type { Processes } from './index.ts'
import type { Monitor } from './monitor.ts'
import { count, upTo } from './values.ts'

/** Exchanges in flight that one process shows: the oldest. */
const mostInFlight = 200

/** The exchanges of one answer, in characters of JSON. A message between processes has a few more. */
const longestAnswer = 196_608

/** How long the processes may take, in milliseconds. */
const deadlineMs = 2_000

/** Exchanges of all processes. */
interface Gathered<Exchange> {
  readonly exchanges: readonly (Exchange & { readonly processId: string })[]
  /** The ids of processes that did not answer in time. */
  readonly unanswered: readonly string[]
}

/** The exchanges in flight of all processes. */
interface GatheredInFlight extends Gathered<LiveExchange> {
  /** How many more the processes have. */
  readonly omitted: number
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
const oneResult = z.object({ live: z.optional(liveExchange), ended: z.optional(endedExchange) })

/** The answer of one process. Others are left out of it where it would be too long. */
interface Answer {
  readonly exchanges: unknown[]
  readonly isCut: boolean
  /** How many exchanges in flight are left out. Absent: the answer has ended exchanges, or a former version answers. */
  readonly omitted?: number | undefined
}

const answerOf = z.object({
  exchanges: upTo(mostInFlight, z.unknown()),
  isCut: z.boolean(),
  omitted: count.optional(),
})

/** Lets other processes ask this one for its exchanges. */
export function answerForExchanges({ handle, monitor }: Processes): void {
  handle('exchanges', (input) => inFlightOf(monitor, filterInput.parse(input)))
  handle('recent', (input) => fitting(recentOf(monitor, pageInput.parse(input))))
  handle('exchange', (input) => oneOf(monitor, oneInput.parse(input).id))
}

/** The exchanges in flight of all processes, the oldest first. `asker` is whose question it is. */
export async function gatherInFlight(
  processes: Processes,
  asker: string,
  filter: ExchangeFilter,
): Promise<GatheredInFlight> {
  const command = { kind: 'exchanges', input: { ...filter } }
  const { answers, unanswered } = await gather(processes, asker, command, liveExchange)
  const exchanges = answers.flatMap((one) => one.exchanges)
  // A former version says that it has left some out, not how many.
  const cut = answers.filter(({ isCut, omitted }) => isCut && omitted === undefined)
  return {
    exchanges: exchanges.toSorted((a, b) => a.startedAt - b.startedAt),
    unanswered: [...unanswered, ...cut.map(({ processId }) => processId)],
    omitted: answers.reduce((sum, { omitted = 0 }) => sum + omitted, 0),
  }
}

/**
 * A page of the ended exchanges of all processes, the newest first. `isCut`: a process has left others out, and the page
 * ends where they would begin. `asker` is whose question it is.
 */
export async function gatherRecent(
  processes: Processes,
  asker: string,
  page: RecentPage,
): Promise<Gathered<EndedExchange> & { readonly isCut: boolean }> {
  const input = { ...page, filter: { ...page.filter } }
  const command = { kind: 'recent', input }
  const { answers, unanswered } = await gather(processes, asker, command, endedExchange)
  const ends = answers.flatMap(({ isCut, exchanges }) => (isCut ? exchanges.slice(-1) : []))
  const [least] = ends.map(recentCursor).toSorted().slice(-1)
  const exchanges = answers
    .flatMap((one) => one.exchanges)
    .filter((one) => least === undefined || recentCursor(one) >= least)
    .toSorted(newestFirst)
    .slice(0, page.limit)
  return { exchanges, unanswered, isCut: least !== undefined }
}

/** What the processes know of one exchange, in flight or ended. */
export async function gatherOne(processes: Processes, asker: string, id: string) {
  const command = { kind: 'exchange', input: { id } }
  const { outcomes, unanswered } = await askOnce(processes, asker, command)
  let live: (LiveExchange & { processId: string }) | undefined
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
) {
  const { outcomes, unanswered } = await askOnce(processes, asker, command)
  const answers = outcomes.flatMap(({ processId, result }) => {
    const answer = answerOf.safeParse(result).data
    if (!answer) return []
    const exchanges = answer.exchanges.flatMap((entry) => {
      const { data } = schema.safeParse(entry)
      return data ? [{ ...data, processId }] : []
    })
    return [{ ...answer, processId, exchanges }]
  })
  return { answers, unanswered }
}

/** As many of them as one message has room for: a call with ten attempts has some 4,000 characters. */
function fitting(exchanges: readonly object[]): Answer {
  let length = 0
  const end = exchanges.findIndex((one) => (length += JSON.stringify(one).length) > longestAnswer)
  return end < 0
    ? { exchanges: [...exchanges], isCut: false }
    : { exchanges: exchanges.slice(0, end), isCut: true }
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

/** The oldest that fit, and the number of the others. */
function inFlightOf(monitor: Monitor, filter: ExchangeFilter): Answer {
  const found: LiveExchange[] = []
  const isAll = Object.values(filter).every((one) => one === undefined)
  let matching = 0
  const all = monitor.inFlight.filter(isShown).toSorted((one, other) => {
    // Requests without a valid key must not hide the others.
    const ofCallersFirst = Number(!one.caller) - Number(!other.caller)
    return ofCallersFirst || one.receivedAt - other.receivedAt
  })
  for (const exchange of all) {
    const isFull = found.length === mostInFlight
    const facts = isFull && isAll ? undefined : factsOf(exchange)
    if (facts && !passes(facts, filter)) continue
    matching++
    if (facts && !isFull) found.push(facts)
  }
  const answer = fitting(found)
  const omitted = matching - answer.exchanges.length
  return { ...answer, isCut: omitted > 0, omitted }
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
