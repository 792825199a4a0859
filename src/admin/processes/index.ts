/**
 * All processes of a gateway, as one. Where to look:
 *
 * - `monitor.ts` observes the exchanges of this process (`exchanges.ts`, `pulse.ts`);
 * - `self.ts` describes this process, with `describe.ts` its accounts and configuration, as a record
 *   (`record.ts`), which `heartbeat.ts` writes to the store every two seconds, and reads of the others;
 * - `commands.ts` performs acts in other processes, through records of the store (`command-records.ts`), so many
 *   at a time as `command-places.ts` has places:
 *   `acts.ts` cancels, reloads and drains, `accounts.ts` readmits accounts and ends their calls, and
 *   `gather.ts` asks all processes for their exchanges;
 * - `../live` carries events between processes, over a bus, and to subscribers.
 *
 * The resolvers of `../schema` use `gather.ts`, `acts.ts`, `everywhere.ts` and `view()`.
 */
import type { Settings } from '../../configuration/settings.ts'
import type { Problem } from '../../contract/problems.ts'
import { type Log, describeError } from '../../lib/log.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { Bus } from '../../stores/bus-port.ts'
import { openStoreBus } from '../../stores/bus.ts'
import type { AuditEntry } from '../../audit/log.ts'
import { type Hub, createHub } from '../live/hub.ts'
import { watchExchanges } from '../live/watch-exchanges.ts'
import { watchJobs } from '../live/watch-jobs.ts'
import { watchState } from '../live/watch-state.ts'
import type { Command } from './command-records.ts'
import {
  type CommandHandler,
  type CommandOutcome,
  type SendOptions,
  startCommands,
} from './commands.ts'
import { exclusionsOf } from './exclusions.ts'
import { type ProcessesView, type ViewOptions, startHeartbeat } from './heartbeat.ts'
import { type Monitor, createMonitor } from './monitor.ts'
import type { ConfigurationState } from './record.ts'
import { createSelf } from './self.ts'

/** What the program that runs the gateway can do. */
export interface ProcessControl {
  /** Reads the configuration again and returns its problems; nothing changes. */
  check?(): Promise<readonly Problem[]>
  /** Reads the configuration again and uses it. Returns its problems; with any, nothing changes. */
  reload?(): Promise<readonly Problem[]>
  /**
   * Ends the process as a signal does: what is in flight goes on for a time. `everything`: the workers
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
  /** Performs a kind of command in this process. Set before others send any. */
  handle(kind: string, handler: CommandHandler): void
  /**
   * Performs a command in all processes, this one included, or in `only` one. Rejects with
   * `StoreUnavailable`; then some processes may have performed it.
   */
  broadcast(command: Command, options?: BroadcastOptions): Promise<CommandOutcome[]>
  /** Shows the others the state of this process now; also for the first time. Never rejects. */
  beat(): Promise<void>
  /** Says that this process is about to end: `/readyz` fails from now on. */
  announceDrain(): void
  /** Cancels an exchange of this process; false if it has none of this id. */
  cancel(exchangeId: string): boolean
  /** Sends an audit record to subscribers. */
  noteAudit(entry: AuditEntry): void
}

/** Where a command is performed, and how long that may take. */
type BroadcastOptions = Omit<SendOptions, 'to'>

/** The options of `startProcesses`. */
export interface ProcessesOptions {
  readonly running: RunningGateway
  readonly settings: () => Settings
  readonly log: Log
  readonly now: () => number
  readonly version: string
  readonly control: ProcessControl
  /** The configuration that is in use, and the problems of one that was refused since. */
  readonly configuration: () => Promise<ConfigurationState>
  /** The monitor of the gateway. Absent: no exchanges are known. */
  readonly monitor?: Monitor
  readonly worker?: number
  /** Between the workers of one machine. Absent: that of the store, or none. */
  readonly bus?: Bus
}

/** The time between two looks at this process, in milliseconds. */
const lookMs = 1_000

/** Lost connections are reported once in this time, in milliseconds. */
const reportMs = 60_000

/** Starts to follow the commands of other processes. They see this one from its first `beat` on. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { running, settings, log, now, control, monitor = createMonitor() } = options
  const { store } = running
  const self = createSelf({
    running,
    monitor,
    now,
    version: options.version,
    configuration: options.configuration,
    ...(options.worker !== undefined && { worker: options.worker }),
  })
  let reportedAt = -Infinity
  const bus = options.bus ?? (await openStoreBus(settings().store, onBusError)) ?? noBus
  const live = createHub({
    self: self.id,
    bus,
    now,
    onCommand: () => commands?.catchUp(),
    onWanted(wanted) {
      exchanges.set(wanted.EXCHANGES)
      jobs.set(wanted.JOBS)
      // What changes from now on is compared with this.
      state.look()
    },
  })
  const exchanges = watchExchanges(monitor, live, self.id)
  const jobs = watchJobs(running.shared.jobs, live, self.id)
  const state = watchState(live, self.id, async () => {
    const { accounts } = running.accounts.snapshot
    const exclusions = await runInTurns(exclusionsOf(self.judges, accounts))
    return { accounts, exclusions, configuration: options.configuration }
  })
  let commands: Awaited<ReturnType<typeof startCommands>> | undefined
  const started = (commands = await startCommands({
    store,
    log,
    now,
    self: self.id,
    onSent: () => live.nudge(),
  }))
  const heartbeat = startHeartbeat({
    store,
    now,
    describe: self.describe,
    onStore: (isReachable, error) =>
      isReachable
        ? log.info('the store works again: all processes are known')
        : log.warn('the store fails: other processes are not known', describeError(error)),
  })
  const timer = setInterval(() => {
    const sample = monitor.pulse.roll(now(), running.gateway.inflight())
    if (sample) live.emit({ type: 'PulseSample', processId: self.id, sample })
    state.look()
    jobs.look()
  }, lookMs).unref()

  function onBusError(error: unknown): void {
    if (performance.now() - reportedAt < reportMs) return
    reportedAt = performance.now()
    log.warn('events of other processes are lost', describeError(error))
  }

  async function broadcast(
    command: Command,
    { only, ...options }: BroadcastOptions = {},
  ): Promise<CommandOutcome[]> {
    const here = async (): Promise<CommandOutcome> => {
      const answer = await started.perform(command)
      return { processId: self.id, ...answer }
    }
    if (only === self.id) return [await here()]
    const to = only === undefined ? await otherIds(command) : [only]
    const send = () =>
      started.send(command, { to, ...(only !== undefined && { only }), ...options })
    if (only !== undefined) return await send()
    if (command.isQuestion) {
      const [own, others] = await Promise.all([here(), send()])
      return [own, ...others]
    }
    // Last here: the end of this process would leave the others uninformed.
    const outcomes = await send()
    return [await here(), ...outcomes]
  }

  /** A command is also sent where no other process is known: one may have started since. */
  async function otherIds({ isQuestion = false }: Command): Promise<string[]> {
    const { processes, isReachable } = await heartbeat.view({ afresh: !isQuestion })
    return processes
      .filter(({ id, isStale }) => id !== self.id && !(isStale && isReachable))
      .map(({ id }) => id)
  }

  return {
    id: self.id,
    monitor,
    control,
    live,
    broadcast,
    view: heartbeat.view,
    beat: heartbeat.beat,
    handle: started.handle,
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
      clearInterval(timer)
      exchanges.set(false)
      jobs.set(false)
      started.close()
      live.close()
      self.close()
      await heartbeat.close()
      await bus.close()
    },
  }
}

/** For a gateway of one process. */
const noBus: Bus = { publish() {}, listen() {}, async close() {} }
