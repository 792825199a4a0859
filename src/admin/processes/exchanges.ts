import type { z } from 'zod'

import type { Ended, Progress } from '../../contract/exchange.ts'
import type { Summary } from '../../contract/outcome.ts'
import type { Spend } from '../../contract/spend.ts'
import { type WritableAttempt, attemptsOf, blankAttempt } from './attempts.ts'
import type { endedExchange, exchangeFacts, liveExchange } from './exchange-schema.ts'
import { plainRoute, writeRoute } from './route-facts.ts'
import { owned, ownedId, shownText } from './shown-text.ts'

/** The facts about an exchange that operators see. It contains no content and no secret. */
export type ExchangeFacts = Readonly<z.infer<typeof exchangeFacts>>

/** An exchange in flight. */
export type LiveExchange = Readonly<z.infer<typeof liveExchange>>

/** An exchange that has ended. */
export type EndedExchange = Readonly<z.infer<typeof endedExchange>>

/** Read once: the getter calls into native code. */
const { timeOrigin } = performance

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * A place for an ended exchange and its only attempt, which are written again and again: new objects for each of the last
 * thousand survive their requests, which costs the garbage collector more than the requests themselves. Only the
 * lists that few exchanges have are new objects: further attempts, exclusions and losses.
 */
export interface ExchangePlace {
  readonly ended: Writable<EndedExchange>
  readonly only: readonly [WritableAttempt]
}

/** The view of an exchange at its present stage. */
export function factsOf(exchange: Ended): LiveExchange {
  const facts = blank()
  writeFacts(facts, exchange)
  facts.tried = attemptsOf(exchange)
  const { attempt } = exchange.progress
  return { ...facts, stage: stageOf(exchange), outputTokens: attempt?.counter?.outputTokens }
}

function stageOf({ model, progress }: Ended): LiveExchange['stage'] {
  const { attempt, firstOutputAt } = progress
  if (firstOutputAt !== undefined) return 'REPLYING'
  if (attempt?.startedAt !== undefined && attempt.outcome === undefined) return 'WAITING'
  return model ? 'ROUTING' : 'RECEIVING'
}

/** How long an exchange has been in flight, in milliseconds: by the clock that `startedAt` is of. */
export function ageOf({ startedAt }: Pick<ExchangeFacts, 'startedAt'>): number {
  return Math.max(0, Math.round(timeOrigin + performance.now() - startedAt))
}

/** A place that `writeEnded` writes. */
export function createPlace(): ExchangePlace {
  const ended = {
    ...blank(),
    endedAt: 0,
    status: 0,
    end: 'complete' as const,
    durationMs: 0,
    error: undefined,
    inputTokens: undefined,
    outputTokens: undefined,
    usage: undefined,
    costNano: undefined,
    uncosted: undefined,
    jobId: undefined,
    resourceId: undefined,
  }
  return { ended, only: [blankAttempt()] }
}

/** Writes the view of an exchange that has ended. */
export function writeEnded(
  { ended, only }: ExchangePlace,
  exchange: Ended,
  { status, end, durationMs }: Summary,
): void {
  const { error, outcome, job } = exchange.progress
  writeFacts(ended, exchange)
  ended.tried = attemptsOf(exchange, only)
  ended.endedAt = Math.round(ended.startedAt + durationMs)
  ended.status = status
  ended.end = end
  ended.durationMs = Math.round(durationMs)
  ended.error = error?.code
  ended.inputTokens = outcome?.usage?.inputTokens
  ended.outputTokens = outcome?.usage?.outputTokens
  ended.jobId = owned(job?.id)
  const made = outcome?.produced
  ended.resourceId = made?.binds ? ownedId(made.id) : undefined
  writeCost(ended, exchange.progress)
}

/** A copy of what a place has now. */
export function copyOf({ ended }: ExchangePlace): EndedExchange {
  return { ...ended, tried: ended.tried.map((one) => ({ ...one })) }
}

function blank(): Writable<ExchangeFacts> {
  return {
    id: '',
    startedAt: 0,
    keyId: undefined,
    team: undefined,
    dialect: undefined,
    operation: undefined,
    model: undefined,
    resolved: undefined,
    isAlias: false,
    rule: undefined,
    isPinned: false,
    accountId: undefined,
    attempts: 0,
    stream: false,
    bytesIn: 0,
    bytesOut: 0,
    firstOutputMs: undefined,
    traceId: undefined,
    tried: [],
    ...plainRoute,
  }
}

function writeFacts(facts: Writable<ExchangeFacts>, exchange: Ended): void {
  const { id, receivedAt, progress, call, dialect, operation, caller, model } = exchange
  const { firstOutputAt, job, routing, left } = progress
  facts.id = id
  facts.startedAt = Math.round(timeOrigin + receivedAt)
  facts.keyId = caller?.keyId
  facts.team = caller?.team
  facts.dialect = dialect?.id
  facts.operation = operation?.id
  const name = call?.model || job?.model.requested
  const resolved = model?.name || job?.model.name
  facts.model = shownText(name, exchange)
  facts.resolved = resolved === name ? facts.model : shownText(resolved, exchange)
  facts.isAlias = model !== undefined && model.requested !== (left[0]?.model ?? model.name)
  facts.rule = routing?.decidedBy
  facts.isPinned = routing?.pinned ?? false
  facts.accountId = progress.attempt?.candidate.account.id ?? job?.account
  facts.attempts = progress.attempts
  facts.stream = progress.streamed || call?.stream === true
  facts.bytesIn = progress.bytesIn
  facts.bytesOut = progress.bytesOut
  facts.firstOutputMs =
    firstOutputAt === undefined ? undefined : Math.round(firstOutputAt - receivedAt)
  facts.traceId = progress.trace?.traceId
  writeRoute(facts, exchange)
}

/** The exchange has the worst of its attempts. */
const usages = ['none', 'reported', 'estimated', 'unknown'] as const

function writeCost(ended: Writable<EndedExchange>, { former, attempt }: Progress): void {
  let sum = 0
  let worst = 0
  let uncosted: string | undefined
  const add = ({ usage, cost }: Spend) => {
    worst = Math.max(worst, usages.indexOf(usage))
    if (typeof cost === 'number') sum += cost
    else uncosted ??= cost
  }
  for (const { spend = unsettled } of former) add(spend)
  if (attempt) add(attempt.spend ?? unsettled)
  ended.usage = usages[worst]
  ended.costNano = uncosted === undefined ? sum : undefined
  ended.uncosted = uncosted
}

/** The spend of an attempt that goes on although the exchange has ended. */
const unsettled: Spend = { usage: 'unknown', cost: 'no_usage' }

/** Probes and pages without a key are not of interest. */
export function isShown({ operation }: Ended): boolean {
  return operation === undefined || operation.auth !== 'none'
}
