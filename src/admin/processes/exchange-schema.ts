import { z } from 'zod'

import { count, smallCount, time } from './values.ts'

const text = z.string().max(1_000)
const name = z.optional(text)
const number = z.optional(z.number().nonnegative())

/** An attempt at an account. Times are in milliseconds from the arrival of the request. */
export const exchangeAttempt = z
  .object({
    /** From 1. */
    number: smallCount,
    accountId: text,
    dialect: text,
    /** Whether that is the client's dialect. */
    isNative: z.boolean(),
    /** The platform model, which a fallback changes. Absent: the call names none. */
    model: name,
    /** The account's name of the model. */
    upstreamModel: name,
    /** When the request was sent. Absent: none was sent. */
    startedMs: number,
    firstByteMs: number,
    endedMs: number,
    /** The status of the account's reply. */
    status: z.optional(smallCount),
    /** Whether its connection had served earlier requests. */
    isReused: z.boolean(),
    /** Absent: it has not ended. */
    outcome: z.optional(z.enum(['completed', 'incomplete', 'failed', 'cancelled'])),
    /** The code of its error. */
    error: name,
    /** The party that caused the failure. */
    fault: z.optional(z.enum(['account', 'caller', 'client', 'gateway', 'none'])),
  })
  .readonly()

const exclusion = z.object({
  account: text,
  by: text,
  reason: text,
  kind: z.optional(z.enum(['circuit', 'refused', 'cooling', 'other'])),
  untilMs: z.optional(time),
  status: z.optional(smallCount),
  field: name,
})

/** The exclusions of a list, at most. */
const exclusions = z.array(exclusion.readonly()).max(10)

const leftModel = z.object({
  model: text,
  next: text,
  on: z.enum(['unavailable', 'rate_limited', 'context_length', 'refused', 'budget']),
  error: text,
  excluded: exclusions.readonly(),
})

const loss = z.object({ field: text, reason: text })

const facts = {
  id: text,
  startedAt: time,
  keyId: name,
  team: name,
  dialect: name,
  operation: name,
  /** As the client wrote it, cut off and without secrets. */
  model: name,
  /** The platform model, after aliases and fallbacks. */
  resolved: name,
  isAlias: z.boolean().default(false),
  /** The rule that chose the account. Absent: the call has not been routed. */
  rule: name,
  /** Whether no other account may serve it. */
  isPinned: z.boolean().default(false),
  accountId: name,
  /** The number of requests to accounts so far. */
  attempts: smallCount,
  stream: z.boolean(),
  bytesIn: count,
  bytesOut: count,
  /** From the request to the first output, in milliseconds. */
  firstOutputMs: number,
  traceId: name,
  /** The attempts, the first first; of more than ten, the last ones. */
  tried: z.array(exchangeAttempt).max(10).readonly().default([]),
  /** The models that it has left for another one. */
  left: z.array(leftModel.readonly()).max(10).readonly().default([]),
  /** The accounts that could not serve it, as far as they were considered. */
  excluded: exclusions.readonly().default([]),
  excludedCount: count.default(0),
  /** The fields that the account did not get. */
  losses: z.array(loss.readonly()).max(20).readonly().default([]),
  lossCount: count.default(0),
}

/** Facts of an exchange at any stage. */
export const exchangeFacts = z.object(facts)

/** The stages of an exchange in flight. */
export const exchangeStages = ['RECEIVING', 'ROUTING', 'WAITING', 'REPLYING'] as const

/** Facts of an exchange in flight, as another process sends them. */
export const liveExchange = z.object({
  ...facts,
  stage: z.enum(exchangeStages).optional(),
  /** An estimate of the tokens of a stream so far. */
  outputTokens: number,
})

/** Facts of an exchange that has ended, as another process sends them. */
export const endedExchange = z.object({
  ...facts,
  endedAt: time,
  status: smallCount,
  end: z.enum(['complete', 'client_gone', 'broken']),
  durationMs: z.number().nonnegative(),
  /** The code of the error that the client got. */
  error: name,
  inputTokens: number,
  outputTokens: number,
  /** How the use of its attempts is known. Absent: another version of the gateway did not say. */
  usage: z.optional(z.enum(['reported', 'estimated', 'unknown', 'none'])),
  /** The cost of all attempts, in nano-dollars. Absent: it is unknown. */
  costNano: number,
  /** Why the cost is unknown. */
  uncosted: name,
  jobId: name,
  /** The response, conversation or file that it made, if it is bound to its account. */
  resourceId: name,
})
