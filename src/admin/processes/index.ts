import type { Settings } from '../../configuration/settings.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { Bus } from '../../stores/bus-port.ts'
import { openStoreBus } from '../../stores/bus.ts'
import type { AuditEntry } from '../audit.ts'
import { type Hub, createHub } from '../live/hub.ts'
import { watchExchanges } from '../live/watch-exchanges.ts'
import { watchState } from '../live/watch-state.ts'
import type { Command } from './command-records.ts'
import { type CommandHandler, type CommandOutcome, startCommands } from './commands.ts'
import type { ProcessControl } from './control.ts'
import { exclusionsOf } from './describe.ts'
import { type ProcessesView, startHeartbeat } from './heartbeat.ts'
import { type Monitor, createMonitor } from './monitor.ts'
import type { ConfigurationState } from './record.ts'
import { createSelf } from './self.ts'

/** All processes of the gateway, and the acts that concern them. */
export interface Processes extends AsyncDisposable {
  /** The id of this process. */
  readonly id: string
  readonly monitor: Monitor
  readonly control: ProcessControl
  readonly live: Hub
  /** All processes. Never rejects: see `ProcessesView.isComplete`. */
  view(): Promise<ProcessesView>
  /** Makes the next `view` read the others again: they have changed. */
  forget(): void
  /** Whether the store has answered last. */
  readonly isStoreReachable: boolean
  /** Performs a kind of command in this process. Set before others send any. */
  handle(kind: string, handler: CommandHandler): void
  /**
   * Performs a command in all processes, this one included, or in `only` one. Rejects with
   * `StoreUnavailable`; then some processes may have performed it.
   */
  broadcast(command: Command, options?: BroadcastOptions): Promise<CommandOutcome[]>
  /** Shows the others the state of this process now. Never rejects. */
  beat(): Promise<void>
  /** Says that this process is about to end: `/readyz` fails from now on. */
  announceDrain(): void
  /** Cancels an exchange of this process; false if it has none of this id. */
  cancel(exchangeId: string): boolean
  /** Sends an audit record to subscribers. */
  noteAudit(entry: AuditEntry): void
}

/** Where a command is performed, and how long that may take. */
interface BroadcastOptions {
  /** The id of the only process that performs it. */
  readonly only?: string
  /** In milliseconds. Default: 2.5 s. */
  readonly deadlineMs?: number
}

/** The options of `startProcesses`. */
export interface ProcessesOptions {
  readonly running: RunningGateway
  readonly settings: () => Settings
  readonly log: Log
  readonly now: () => number
  readonly version: string
  readonly control: ProcessControl
  /** The configuration that is in use, and the problems of one that was refused since. */
  readonly configuration: () => ConfigurationState
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

/** Starts to show this process to the others, and to follow their commands. */
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
  const heartbeat = await startHeartbeat({
    store,
    now,
    describe: self.describe,
    onStore: (isReachable, error) =>
      isReachable
        ? log.info('the store works again: all processes are known')
        : log.warn('the store fails: other processes are not known', describeError(error)),
  })
  const bus = options.bus ?? openStoreBus(settings().store, onBusError) ?? noBus
  const live = createHub({
    self: self.id,
    bus,
    now,
    onCommand: () => commands?.catchUp(),
    onWanted: (wanted) => exchanges.set(wanted),
  })
  const exchanges = watchExchanges(monitor, live, self.id)
  let commands: Awaited<ReturnType<typeof startCommands>> | undefined
  const started = (commands = await startCommands({
    store,
    log,
    now,
    self: self.id,
    onSent: () => live.nudge(),
  }))
  const state = watchState(live, self.id, () => {
    const { accounts } = running.accounts.snapshot
    const exclusions = exclusionsOf(self.judges, accounts)
    return { accounts, exclusions, configuration: options.configuration() }
  })
  const timer = setInterval(() => {
    const sample = monitor.pulse.roll(now(), running.gateway.inflight())
    if (sample) live.emit({ type: 'PulseSample', processId: self.id, sample })
    state.look()
  }, lookMs).unref()

  let reportedAt = -Infinity
  function onBusError(error: unknown): void {
    if (performance.now() - reportedAt < reportMs) return
    reportedAt = performance.now()
    log.warn('events of other processes are lost', describeError(error))
  }

  async function broadcast(
    command: Command,
    { only, deadlineMs }: BroadcastOptions = {},
  ): Promise<CommandOutcome[]> {
    const here = async (): Promise<CommandOutcome> => {
      const answer = await started.perform(command)
      return { processId: self.id, ...answer }
    }
    if (only === self.id) return [await here()]
    const to = only === undefined ? await otherIds() : [only]
    const sent = started.send(command, {
      to,
      ...(only !== undefined && { only }),
      ...(deadlineMs !== undefined && { deadlineMs }),
    })
    // Last here: the end of this process would leave the others uninformed.
    const outcomes = await sent
    return only === undefined ? [await here(), ...outcomes] : outcomes
  }

  /** Also sent where no other process is known: one may have started since. */
  async function otherIds(): Promise<string[]> {
    const { processes } = await heartbeat.view()
    return processes.map(({ id }) => id).filter((id) => id !== self.id)
  }

  return {
    id: self.id,
    monitor,
    control,
    live,
    broadcast,
    view: heartbeat.view,
    forget: heartbeat.forget,
    beat: heartbeat.beat,
    get isStoreReachable() {
      return heartbeat.isReachable
    },
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
      exchanges.set({ EXCHANGES: false, JOBS: false })
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
