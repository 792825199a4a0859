import { z } from 'zod'

import { jobKinds, jobStates } from '../../jobs/shown-job.ts'
import { endedExchange, liveExchange } from '../processes/exchange-schema.ts'
import { exclusionSchema, problemsSchema, sampleSchema, time } from '../processes/values.ts'

/** The topics of what operators write to the store. Each process watches it for its own subscribers. */
export const recordTopics = [
  'KEYS',
  'TEAMS',
  'LIMITS',
  'PRICES',
  'ALIASES',
  'TOKENS',
  'CAPTURES',
] as const

/** A topic of `recordTopics`. */
export type RecordTopic = (typeof recordTopics)[number]

/** The topics of subscriptions. */
export const liveTopics = [
  'PULSE',
  'EXCHANGES',
  'ACCOUNTS',
  'CIRCUITS',
  'JOBS',
  'CONFIGURATION',
  'AUDIT',
  ...recordTopics,
] as const

/** A topic of `live`. */
export type LiveTopic = (typeof liveTopics)[number]

const text = z.string().max(1_000)
const name = z.optional(text)
const number = z.optional(z.number().nonnegative())

const from = { processId: text }

const auditEntry = z.looseObject({
  id: text,
  at: time,
  action: text,
  target: z.object({ type: text, id: text }),
  result: z.enum(['STARTED', 'DONE', 'FAILED', 'REFUSED']),
  address: z.string(),
  agent: z.string(),
  actor: z.optional(z.object({ id: text, kind: text, role: text })),
  message: z.optional(z.string()),
  reason: z.optional(z.string()),
  requestId: z.optional(z.string()),
})

/** An event as it travels between processes. It contains no content and no secret. */
export const liveEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('PulseSample'),
    ...from,
    sample: sampleSchema.extend({ processes: z.number() }),
  }),
  z.object({ type: z.literal('ExchangeBegan'), ...from, exchange: liveExchange }),
  z.object({ type: z.literal('ExchangeChanged'), ...from, exchange: liveExchange }),
  z.object({ type: z.literal('ExchangeEnded'), ...from, exchange: endedExchange }),
  z.object({
    type: z.literal('AccountChanged'),
    ...from,
    accountId: text,
    enabled: z.boolean(),
    deleted: z.boolean(),
    exclusions: z.array(exclusionSchema).max(20),
  }),
  z.object({
    type: z.literal('CircuitChanged'),
    ...from,
    accountId: text,
    dialect: text,
    state: z.enum(['CLOSED', 'OPEN', 'HALF_OPEN']),
  }),
  z.object({
    type: z.literal('JobChanged'),
    ...from,
    jobId: text,
    kind: z.optional(z.enum(jobKinds)),
    accountId: text,
    keyId: name,
    state: z.optional(z.enum(jobStates.batch)),
    progress: number,
    error: name,
    forgotten: z.boolean(),
  }),
  z.object({
    type: z.literal('ConfigurationChanged'),
    ...from,
    hash: text,
    loadedAt: time,
    problems: problemsSchema,
  }),
  z.object({ type: z.literal('AuditRecorded'), ...from, entry: auditEntry }),
  z.object({
    type: z.literal('RecordsChanged'),
    ...from,
    topic: z.enum(recordTopics),
    ids: z.array(text).max(100),
    idsOmitted: z.number().int().nonnegative(),
  }),
])

/** An event of a process. */
export type ProcessEvent = Readonly<z.infer<typeof liveEvent>>

/** Stands in a stream where events are missing. */
export interface Missed {
  readonly type: 'Missed'
  /** Absent: unknown. */
  readonly count: number | undefined
  readonly reason: 'QUEUE' | 'SAMPLING' | 'OUTAGE'
}

/** An event as a subscriber gets it. */
export type LiveEvent = ProcessEvent | Missed

const topicOfType: Readonly<Record<Exclude<ProcessEvent['type'], 'RecordsChanged'>, LiveTopic>> = {
  PulseSample: 'PULSE',
  ExchangeBegan: 'EXCHANGES',
  ExchangeChanged: 'EXCHANGES',
  ExchangeEnded: 'EXCHANGES',
  AccountChanged: 'ACCOUNTS',
  CircuitChanged: 'CIRCUITS',
  JobChanged: 'JOBS',
  ConfigurationChanged: 'CONFIGURATION',
  AuditRecorded: 'AUDIT',
}

/** The topic of an event. */
export function topicOf(event: ProcessEvent): LiveTopic {
  return event.type === 'RecordsChanged' ? event.topic : topicOfType[event.type]
}
