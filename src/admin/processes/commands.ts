import { GatewayError } from '../../contract/errors.ts'
import { type Log, describeError } from '../../lib/log.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { followRecords } from '../../stores/follow.ts'
import type { Store } from '../../stores/store.ts'
import {
  type Command,
  type CommandAnswer,
  type CommandRecord,
  answerId,
  answerRecords,
  commandRecords,
  commandTtlMs,
  newCommandId,
  newestCommands,
  readAnswer,
  readCommand,
} from './command-records.ts'

/**
 * Performs a command in this process. Its input comes from the store and must be checked. A rejection
 * is an answer of status `FAILED` with the error's message.
 */
export type CommandHandler = (input: Readonly<Record<string, unknown>>) => unknown

/** What a process made of a command. */
export interface CommandOutcome extends Omit<CommandAnswer, 'status'> {
  readonly processId: string
  /** `UNANSWERED`: the process may have performed it or not. */
  readonly status: CommandAnswer['status'] | 'UNANSWERED'
}

/** The options of a command. */
interface BroadcastOptions {
  /** The processes that should answer, without this one. */
  readonly to: readonly string[]
  /** Only this process performs it. Absent: all, those outside of `to` too. */
  readonly only?: string
  /** How long the others may take, in milliseconds. */
  readonly deadlineMs?: number
}

/** Commands between processes. */
interface Commands {
  handle(kind: string, handler: CommandHandler): void
  /** Performs a command here. */
  perform(command: Command): Promise<CommandAnswer>
  /** Sends a command to other processes and waits for them. Rejects with `StoreUnavailable`. */
  send(command: Command, options: BroadcastOptions): Promise<CommandOutcome[]>
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

/** The time between two looks for answers, in milliseconds. */
const lookMs = 50

/** Commands whose answers this process awaits. */
const mostWaiting = 32

/** Commands that this process remembers, so that it performs each once. */
const mostSeen = 10_000

/** Follows the commands on a store. Those from before the start of the process are not performed. */
export async function startCommands(options: CommandsOptions): Promise<Commands> {
  const { store, self, log, now, onSent } = options
  const records = commandRecords(store)
  const answers = answerRecords(store)
  const handlers = new Map<string, CommandHandler>()
  const seen = new RecentMap<true>(mostSeen)
  let isStarting = true
  let waiting = 0

  async function perform({ kind, input = {} }: Command): Promise<CommandAnswer> {
    const handler = handlers.get(kind)
    if (!handler) return { status: 'FAILED', message: `This process does not know \`${kind}\`.` }
    try {
      return { status: 'DONE', result: (await handler(input)) ?? null }
    } catch (error) {
      const message = error instanceof Error ? error.message : 'It failed.'
      return { status: 'FAILED', message: message.slice(0, 500) }
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
        const command = isStarting ? undefined : readCommand(record)
        if (!command) continue
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
    to: readonly string[],
    deadlineMs: number,
  ): Promise<CommandOutcome[]> {
    const outcomes = new Map<string, CommandOutcome>()
    const end = performance.now() + deadlineMs
    for (;;) {
      const missing = to.filter((one) => !outcomes.has(one))
      if (missing.length === 0) break
      const found = await answers
        .getMany(missing.map((one) => answerId(id, one)))
        .catch(() => missing.map(() => undefined))
      for (const [index, processId] of missing.entries()) {
        const answer = readAnswer(found[index])
        if (answer) outcomes.set(processId, { processId, ...answer })
      }
      if (outcomes.size === to.length || performance.now() > end) break
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
    return to.map((processId) => outcomes.get(processId) ?? { processId, status: 'UNANSWERED' })
  }

  return {
    handle: (kind, handler) => void handlers.set(kind, handler),
    perform,
    async send({ kind, input = {} }, { to, only, deadlineMs = usualDeadlineMs }) {
      if (waiting >= mostWaiting) {
        throw new GatewayError(
          'rate_limited',
          'This process awaits the answers of too many commands.',
        )
      }
      waiting++
      try {
        const id = newCommandId(now())
        const record = { kind, from: self, ...(only !== undefined && { to: only }), input }
        await records.set(id, record, { ttlMs: commandTtlMs })
        onSent()
        return await collect(id, to, deadlineMs)
      } finally {
        waiting--
      }
    },
    // A look that is under way may have begun before the command was written.
    catchUp: () => void follower.catchUp().then(() => follower.catchUp()),
    close: () => follower.close(),
  }
}
