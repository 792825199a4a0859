import { setTimeout as delay } from 'node:timers/promises'

import { type Log, describeError } from '../../lib/log.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { followRecords } from '../../stores/follow.ts'
import type { Store } from '../../stores/store.ts'
import { createCommandPlaces } from './command-places.ts'
import {
  type Command,
  type CommandAnswer,
  type CommandRecord,
  answerId,
  answerRecords,
  commandRecords,
  commandTtlMs,
  createCommandIds,
  newestCommands,
  readAnswer,
  readCommand,
} from './command-records.ts'

/**
 * Performs a command in this process. Its input comes from the store and must be checked. A rejection
 * is an answer of status `FAILED`, with the message of a `CommandRefused`.
 */
export type CommandHandler = (input: Readonly<Record<string, unknown>>) => unknown

/** Why a process does not perform a command, in words for operators. All other errors go to the log. */
export class CommandRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CommandRefused'
  }
}

/** What a process made of a command. */
export interface CommandOutcome extends Omit<CommandAnswer, 'status'> {
  readonly processId: string
  /** `UNANSWERED`: the process may have performed it or not. */
  readonly status: CommandAnswer['status'] | 'UNANSWERED'
}

/** The options of a command. */
export interface SendOptions {
  /** The processes that should answer, without this one. */
  readonly to: readonly string[]
  /** Only this process performs it. Absent: all, those outside of `to` too. */
  readonly only?: string
  /** Whose question it is: it takes a place of theirs. Absent: it is an act, or part of one. */
  readonly asker?: string
  /** How long the others may take, in milliseconds. */
  readonly deadlineMs?: number
  /** With such an outcome the others are not waited for. */
  readonly isEnough?: (outcome: CommandOutcome) => boolean
}

/** Commands between processes. */
interface Commands {
  /** Performs a kind of command in this process. */
  handle(kind: string, handler: CommandHandler): void
  /** Performs a command here. */
  perform(command: Command): Promise<CommandAnswer>
  /**
   * Sends a command to other processes and waits for them. Rejects with `StoreUnavailable`, and with `GatewayError`
   * while too many wait.
   */
  send(command: Command, options: SendOptions): Promise<CommandOutcome[]>
  /** Looks for commands now: another process says that there are some. */
  catchUp(): void
  close(): void
}

/** The options of `startCommands`. */
interface CommandsOptions {
  readonly store: Pick<Store, 'records'>
  /** The id of this process. */
  readonly self: string
  readonly log: Log
  readonly now: () => number
  /** Called when a command was written, so that the others look at once. */
  readonly onSent: () => void
}

/** Others look at the store every second. */
const usualDeadlineMs = 2_500

/** The time before a look for answers, in milliseconds: the first, and the longest. */
const firstLookMs = 10
const longestLookMs = 150

/** Answers that one look reads: all commands together must leave the store to the requests. */
const mostLooked = 64

/** Commands that this process remembers, so that it performs each once. */
const mostSeen = 10_000

/** Follows the commands on a store. Those from before the start of the process are not performed. */
export async function startCommands(options: CommandsOptions): Promise<Commands> {
  const { store, self, log, now, onSent } = options
  const records = commandRecords(store)
  const answers = answerRecords(store)
  const handlers = new Map<string, CommandHandler>()
  const seen = new RecentMap<true>(mostSeen)
  const ids = createCommandIds(now)
  let isStarting = true
  const places = createCommandPlaces()

  async function perform({ kind, input = {} }: Command): Promise<CommandAnswer> {
    const handler = handlers.get(kind)
    if (!handler) return { status: 'FAILED', message: `This process does not know \`${kind}\`.` }
    try {
      return { status: 'DONE', result: (await handler(input)) ?? null }
    } catch (error) {
      if (error instanceof CommandRefused) return { status: 'FAILED', message: error.message }
      // Its message may hold a secret, and the answer lies in the store.
      log.error('a command failed', { kind, ...describeError(error) })
      return { status: 'FAILED', message: 'It failed; the log of the process says why.' }
    }
  }

  async function obey(id: string, command: CommandRecord): Promise<void> {
    if (command.from === self || (command.to !== undefined && command.to !== self)) return
    if (!handlers.has(command.kind)) return
    const answer = await perform(command)
    await answers.set(answerId(id, self), answer, { ttlMs: commandTtlMs })
  }

  const follower = await followRecords({
    records: newestCommands(records),
    onRecords(found) {
      for (const record of found) {
        if (seen.get(record.id)) continue
        seen.set(record.id, true)
        const command = readCommand(record)
        if (command) ids.seen(record.id)
        if (!command || isStarting) continue
        obey(record.id, command).catch((error: unknown) =>
          log.error('a command of another process has no answer', {
            kind: command.kind,
            ...describeError(error),
          }),
        )
      }
      isStarting = false
    },
    // The heartbeat reports an outage of the store.
    onError: () => {},
  })

  /** Waits for the answers of these processes. */
  async function collect(
    id: string,
    { to, deadlineMs = usualDeadlineMs, isEnough = () => false }: SendOptions,
  ): Promise<CommandOutcome[]> {
    const outcomes = new Map<string, CommandOutcome>()
    const missing = new Set(to)
    const end = performance.now() + deadlineMs
    for (let pause = firstLookMs; missing.size > 0; pause = Math.min(pause * 2, longestLookMs)) {
      if (performance.now() > end) break
      await delay(pause)
      const asked = [...missing].slice(0, mostLooked)
      const found = await answers
        .getMany(asked.map((one) => answerId(id, one)))
        .catch(() => asked.map(() => undefined))
      for (const [index, processId] of asked.entries()) {
        missing.delete(processId)
        const answer = readAnswer(found[index])
        if (answer) outcomes.set(processId, { processId, ...answer })
        // Behind those that this look leaves out.
        else missing.add(processId)
      }
      if ([...outcomes.values()].some(isEnough)) break
    }
    return to.map((processId) => outcomes.get(processId) ?? { processId, status: 'UNANSWERED' })
  }

  /** Removes what has been read. The store removes the rest when it expires. */
  function forget(id: string, outcomes: readonly CommandOutcome[], isQuestion: boolean): void {
    const answered = outcomes.filter(({ status }) => status !== 'UNANSWERED')
    const deleting = answered.map(({ processId }) => answers.delete(answerId(id, processId)))
    if (isQuestion) deleting.push(records.delete(id))
    void Promise.allSettled(deleting)
  }

  return {
    handle: (kind, handler) => void handlers.set(kind, handler),
    perform,
    async send({ kind, input = {}, isQuestion = false }, options) {
      using _place = places.take(options.asker)
      const id = ids.next()
      const { only } = options
      const record = { kind, from: self, ...(only !== undefined && { to: only }), input }
      await records.set(id, record, { ttlMs: commandTtlMs })
      onSent()
      const outcomes = await collect(id, options)
      forget(id, outcomes, isQuestion)
      return outcomes
    },
    // A look that is under way may have begun before the command was written.
    catchUp: () => void follower.catchUp().then(() => follower.catchUp()),
    close: () => follower.close(),
  }
}
