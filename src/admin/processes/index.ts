/**
 * All processes of a gateway, as one. Two things connect them:
 *
 * - **presence**: each process writes a record with a few numbers to the store every two seconds
 *   (`presence.ts`, described by `this-process.ts`). So all know which processes there are;
 * - **the bus** of the store (`../../stores/bus.ts`) carries messages (`messages.ts`): commands and their answers
 *   (`broadcast.ts`), and events for the subscribers of `live` (`../live`).
 *
 * The walk of an act, such as `resetCircuit` for an account that another process cannot use:
 *
 * 1. `../act.ts` writes the audit record; its resolver calls `readmitEverywhere` (`account-acts.ts`);
 * 2. `Processes.broadcast` reads the presence: the processes that should answer;
 * 3. `broadcast.ts` publishes one command, with an id, and waits for the answers until the deadline;
 * 4. in each other process the hub reads the message, the handler of its kind checks the input and does it, and the
 *    answer goes back to the sender alone;
 * 5. the command is performed here, last; the outcome has the answers, and the ids of the processes without one,
 *    which `extensions.incomplete` of the answer names.
 *
 * An act on what outlives a process takes the way of the store instead, such as `disableAccount` or `createKey`: it
 * writes a record, which each process follows within two seconds (`../../stores/follow.ts`).
 *
 * A question takes the same way as a command: `cluster-view.ts` asks for accounts, `remote-exchanges.ts` for exchanges,
 * `pulse.ts` for samples.
 */
import { GatewayError } from '../../contract/errors.ts'
import type { Problem } from '../../contract/problems.ts'
import { type Log, describeError } from '../../lib/log.ts'
import { everySeconds } from '../../lib/ticker.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { AuditEntry } from '../../audit/log.ts'
import { type Hub, createHub } from '../live/hub.ts'
import { watchExchanges } from '../live/watch-exchanges.ts'
import { watchPulse } from '../live/watch-pulse.ts'
import { watchJobs } from '../live/watch-jobs.ts'
import { watchRecords } from '../live/watch-records.ts'
import { watchState } from '../live/watch-state.ts'
import {
  type AskOptions,
  type BroadcastResult,
  type Command,
  type CommandHandler,
  type CommandOutcome,
  type SendOptions,
  createBroadcast,
} from './broadcast.ts'
import { type ClusterView, createClusterView } from './cluster-view.ts'
import { exclusionsOf } from './exclusions.ts'
import { type Monitor, createMonitor } from './monitor.ts'
import {
  type ConfigurationState,
  type ProcessesView,
  type StoreState,
  type ViewOptions,
  startPresence,
  unreachableProcesses,
} from './presence.ts'
import { createThisProcess } from './this-process.ts'

/** The operations of the program that runs the gateway. */
export interface ProcessControl {
  /** Reads the configuration again and returns its problems; nothing changes. */
  check?(): Promise<readonly Problem[]>
  /** Reads the configuration again and uses it. Returns its problems; with any, nothing changes. */
  reload?(): Promise<readonly Problem[]>
  /**
   * Ends the process as a signal does: calls in flight go on for a time. `everything`: the workers
   * beside it end too, and no other takes their place.
   */
  drain?(everything: boolean): void
  /** How long a process that ends still serves as before, in milliseconds. */
  readonly drainDelayMs?: number
}

/** All processes of the gateway, and the acts that concern them. */
export interface Processes extends AsyncDisposable {
  /** The id of this process. */
  readonly id: string
  readonly monitor: Monitor
  readonly control: ProcessControl
  readonly live: Hub
  /** All processes. Never rejects: see `ProcessesView.isComplete`. */
  view(options?: ViewOptions): Promise<ProcessesView>
  readonly storeState: StoreState
  /** Performs a kind of command in this process. Set before others send any. */
  handle(kind: string, handler: CommandHandler): void
  /**
   * Performs an act in all processes, here last, or in `only` one. Rejects with `GatewayError` while too many
   * commands wait.
   */
  broadcast(command: Command, options?: BroadcastOptions): Promise<BroadcastResult>
  /** Asks all processes, this one included; only this one while the operator has too many questions. */
  ask(command: Command, options: AskOptions): Promise<BroadcastResult>
  /** The accounts of all processes. Never rejects. */
  cluster(options?: ViewOptions): Promise<ClusterView>
  /** Shows the others the state of this process now; also for the first time. Never rejects. */
  beat(): Promise<void>
  /** Says that this process is about to end: `/readyz` fails from now on. */
  announceDrain(): void
  /** Cancels an exchange of this process; false for an id that the process does not know. */
  cancel(exchangeId: string): boolean
  /** Sends an audit record to subscribers. */
  noteAudit(entry: AuditEntry): void
}

/** Where an act is performed, and how long that may take. */
interface BroadcastOptions extends Pick<SendOptions, 'only' | 'deadlineMs' | 'isEnough'> {
  /** While too many commands wait, only this process performs it. */
  readonly orHere?: boolean
}

/** The options of `startProcesses`. */
export interface ProcessesOptions {
  readonly running: RunningGateway
  readonly log: Log
  readonly now: () => number
  readonly version: string
  readonly control: ProcessControl
  /** The configuration that is in use, and the problems of one that was refused since. */
  readonly configuration: () => Promise<ConfigurationState>
  /** The monitor of the gateway. Absent: no exchanges are known. */
  readonly monitor?: Monitor
  readonly worker?: number
}

/** The time between two looks at this process, in seconds. */
const lookSeconds = 1

/** How long a command waits for processes that may be gone while the store is away, in milliseconds. */
const awayMs = 300

/** Lost connections are reported once in this time, in milliseconds. */
const reportMs = 60_000

/** Connects this process with the others. They see it from its first `beat` on. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { running, log, now, control, monitor = createMonitor() } = options
  const { store } = running
  const self = createThisProcess({
    running,
    now,
    version: options.version,
    configuration: options.configuration,
    ...(options.worker !== undefined && { worker: options.worker }),
  })
  let reportedAt = -Infinity
  const bus = await store.openBus(self.id, onBusError)
  const broadcast = createBroadcast({ log, publish: (message) => live.send(message) })
  const live = createHub({
    self: self.id,
    bus,
    now,
    onCommand: broadcast.receive,
    onWanted(wanted) {
      exchanges.set(wanted.EXCHANGES)
      jobs.set(wanted.JOBS)
      records.look()
      // The baseline for later changes.
      state.look()
    },
  })
  const exchanges = watchExchanges(monitor, live, self.id)
  const jobs = watchJobs(running.shared, live, self.id)
  const records = watchRecords(live, self.id, store)
  const judges = running.plugins.filter((plugin) => plugin.exclusions)
  const state = watchState(live, self.id, async () => {
    const { accounts } = running.accounts.snapshot
    const exclusions = await runInTurns(exclusionsOf(judges, accounts))
    return { accounts, exclusions, configuration: options.configuration }
  })
  const presence = startPresence({
    store,
    describe: self.describe,
    onStore: (isReachable, error) =>
      isReachable
        ? log.info('the store works again: all processes are known')
        : log.warn('the store fails: other processes are not known', describeError(error)),
  })
  const stopLooking = everySeconds(lookSeconds, () => {
    monitor.pulse.roll(now(), running.gateway.inflight())
    pulse.look()
    state.look()
    jobs.look()
  })

  function onBusError(error: unknown): void {
    if (performance.now() - reportedAt < reportMs) return
    reportedAt = performance.now()
    log.warn('events of other processes are lost', describeError(error))
  }

  async function performHere(command: Command): Promise<CommandOutcome> {
    return { processId: self.id, ...(await broadcast.perform(command)) }
  }

  async function sendTo(
    only: string | undefined,
    command: Command,
    options: Omit<SendOptions, 'to' | 'only'>,
    view: ProcessesView,
  ): Promise<CommandOutcome[]> {
    if (only === self.id) return []
    if (only !== undefined) return await broadcast.send(command, { ...options, only, to: [only] })
    const { processes, isReachable } = view
    const to = processes
      .filter(({ id, isStale }) => id !== self.id && !(isStale && isReachable))
      .map(({ id }) => id)
    const deadlineMs = isReachable ? options.deadlineMs : awayMs
    return await broadcast.send(command, {
      ...options,
      ...(deadlineMs !== undefined && { deadlineMs }),
      to,
    })
  }

  /** A process that performs nothing is named, also one of which only the record is left. */
  function resultOf(
    outcomes: readonly CommandOutcome[],
    view: ProcessesView,
    isOfAll: boolean,
  ): BroadcastResult {
    const others = view.processes.map(({ id }) => id).filter((id) => id !== self.id)
    const unanswered = new Set(outcomes.map(({ processId }) => processId))
    if (isOfAll) for (const id of [...others, ...unreachableProcesses(view)]) unanswered.add(id)
    for (const { processId, status } of outcomes)
      if (status === 'DONE') unanswered.delete(processId)
    return { outcomes, unanswered: [...unanswered] }
  }

  /** The outcomes of the others; none while too many commands wait, if that is no error. */
  async function ifThereIsRoom(
    sending: Promise<CommandOutcome[]>,
    orHere: boolean,
  ): Promise<CommandOutcome[]> {
    try {
      return await sending
    } catch (error) {
      if (!orHere || !GatewayError.isInstance(error)) throw error
      return []
    }
  }

  const processes: Omit<Processes, 'cluster'> = {
    id: self.id,
    monitor,
    control,
    live,
    view: presence.view,
    storeState: presence.storeState,
    beat: presence.beat,
    handle: broadcast.handle,
    async broadcast(command, { only, orHere = false, ...options } = {}) {
      const view = await presence.view({ afresh: true })
      const others = await ifThereIsRoom(sendTo(only, command, options, view), orHere)
      const isHere = only === undefined || only === self.id
      // Last here: the end of this process would leave the others uninformed.
      const outcomes = isHere ? [await performHere(command), ...others] : others
      return resultOf(outcomes, view, only === undefined)
    },
    async ask(command, options) {
      const view = await presence.view()
      const sending = ifThereIsRoom(sendTo(undefined, command, options, view), true)
      const [here, others] = await Promise.all([performHere(command), sending])
      return resultOf([here, ...others], view, true)
    },
    announceDrain: () => void (running.health.draining = true),
    cancel(exchangeId) {
      const exchange = monitor.inFlight.find(({ id }) => id === exchangeId)
      if (exchange) running.gateway.cancel(exchange)
      return exchange !== undefined
    },
    noteAudit(entry) {
      if (live.wanted.AUDIT) {
        live.emit({ type: 'AuditRecorded', processId: self.id, entry: { ...entry } })
      }
    },
    async [Symbol.asyncDispose]() {
      stopLooking()
      exchanges.set(false)
      jobs.set(false)
      records.close()
      live.close()
      self.close()
      await presence.close()
      await bus.close()
    },
  }
  const pulse = watchPulse(live, self.id, processes, now)
  return Object.assign(processes, { cluster: createClusterView(processes, running) })
}
