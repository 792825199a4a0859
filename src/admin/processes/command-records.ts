import { randomBytes } from 'node:crypto'

import { z } from 'zod'

import type { ListedRecord, Records, Store } from '../../stores/store.ts'

/** An act that other processes perform too. Performing it twice is the same as once. */
export interface Command {
  /** Such as `cancel` or `resetCircuit`. Processes without a handler of this kind ignore it. */
  readonly kind: string
  /** JSON; checked by the handler. It contains no secret. */
  readonly input?: Readonly<Record<string, unknown>>
  /** It changes nothing, so that it is over once its answers are read. */
  readonly isQuestion?: boolean
}

/** The time in which a process may perform a command, in milliseconds. */
export const commandTtlMs = 30_000

/** Commands that one look at the store performs: the newest. */
const mostCommands = 200

const commandRecord = z.strictObject({
  kind: z.string().regex(/^[A-Za-z]{1,40}$/),
  /** The id of the process that sends it. */
  from: z.string().regex(/^[\w.-]{1,64}$/),
  /** The only process concerned. Absent: all. */
  to: z.optional(z.string().regex(/^[\w.-]{1,64}$/)),
  input: z.record(z.string().max(100), z.unknown()),
})

/** A command in the store. */
export type CommandRecord = Readonly<z.infer<typeof commandRecord>>

/** What one process made of a command, as it is stored. */
export interface CommandAnswer {
  readonly status: 'DONE' | 'FAILED'
  /** Why it failed, in words for operators. */
  readonly message?: string
  /** JSON. */
  readonly result?: unknown
}

const commandAnswer = z.object({
  status: z.enum(['DONE', 'FAILED']),
  message: z.optional(z.string().max(2_000)),
  result: z.optional(z.unknown()),
})

/** The commands of the last 30 seconds. */
export function commandRecords(store: Pick<Store, 'records'>): Records<unknown> {
  return store.records('commands', { listed: true })
}

/** The answers to them. */
export function answerRecords(store: Pick<Store, 'records'>): Records<unknown> {
  return store.records('command-answers')
}

/** The id of the answer of one process. */
export function answerId(command: string, process: string): string {
  return `${command} ${process}`
}

/** Ids that are so far ahead of this process' clock are not followed, in milliseconds. */
const furthestAheadMs = 24 * 60 * 60_000

/**
 * Makes ids in the order of time. Each is greater than those that were seen before, so that a process whose
 * clock is behind is heard among the newest, too.
 */
export function createCommandIds(now: () => number) {
  let last = 0
  return {
    next(): string {
      last = Math.max(now(), last + 1)
      return `${String(last).padStart(15, '0')}-${randomBytes(6).toString('hex')}`
    },
    seen(id: string): void {
      const at = Number(id.slice(0, 15))
      if (at > last && at < now() + furthestAheadMs) last = at
    },
  }
}

/** A command of the store; `undefined` for a damaged one. */
export function readCommand({ id, value }: ListedRecord<unknown>): CommandRecord | undefined {
  if (!/^\d{15}-[\da-f]{12}$/.test(id)) return undefined
  return commandRecord.safeParse(value).data
}

/** An answer of the store; `undefined` for none and for a damaged one. */
export function readAnswer(value: unknown): CommandAnswer | undefined {
  const { data } = commandAnswer.safeParse(value)
  if (!data) return undefined
  const { status, message, result } = data
  return { status, ...(message !== undefined && { message }), result }
}

/** The newest commands, as `followRecords` lists them: a flood of records costs one page. */
export function newestCommands(
  records: Pick<Records<unknown>, 'list' | 'version'>,
): Pick<Records<unknown>, 'list' | 'version'> {
  return {
    version: () => records.version(),
    list: async ({ after } = {}) =>
      after === undefined ? await records.list({ newestFirst: true, limit: mostCommands }) : [],
  }
}
