import type { AuditEntry, AuditLog } from '../audit/log.ts'
import { ConfigurationError } from '../contract/problems.ts'
import type { Endpoint } from '../configuration/endpoints.ts'
import type { Settings } from '../configuration/settings.ts'
import { type ConfigurationTracker, trackConfiguration } from '../configuration/in-use.ts'
import type { ProcessControl } from '../admin/processes/index.ts'
import { createGateway } from '../gateway.ts'
import { type LineWriter, type Log, describeError } from '../lib/log.ts'
import { type Listener, listen } from '../http/listen.ts'
import { noteRefusedConnections } from '../http/refused-connections.ts'
import { type RunningGateway, startGateway } from '../runtime/start-gateway.ts'
import { openLoggedStore } from '../runtime/stores.ts'
import type { Store } from '../stores/store.ts'
import { accountRecords } from '../stores/stored-accounts.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Invocation } from './command.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { surviveDefects } from './defects.ts'
import { drain } from './drain.ts'
import { releaseStartMemory } from './engine.ts'
import { readDrainTimes } from './drain-times.ts'
import { hasAuthenticator, issueKeyHint } from './public-addresses.ts'
import { explainListenError } from './addresses.ts'
import { type Checked, checkStart } from './checks/index.ts'
import { openLogs, sendLogs } from './logs/index.ts'
import { type Plan, idleServices, planGateway } from './plan.ts'
import { reloadOnChange } from './reload/index.ts'
import { watchForReload } from './reload/trigger.ts'
import type { ShutdownSignal } from './signals.ts'
import { packageVersion } from './versions.ts'
import { readWorkerAddresses } from './worker-addresses.ts'
import {
  type Addresses,
  announceServing,
  othersStop,
  requestDrain,
  workerNumber,
} from './workers.ts'

/** The options of `runServer`. */
interface ServerOptions {
  configuration: CommandConfiguration
  invocation: Invocation
  /** Resolves when the server must end. */
  signal: Promise<ShutdownSignal>
  /**
   * Prepares the store before the server listens. Resolves with a function that makes a message from
   * the server's URL, printed once the server listens.
   */
  prepare?: (store: Store) => Promise<(url: string) => string>
}

/** Throws `ConfigurationError` with every problem, including those that only the dialects find. */
export async function assertServable(configuration: CommandConfiguration): Promise<void> {
  if (configuration.problems.length > 0)
    assertSound(await planGateway(configuration, idleServices()))
}

/** The message of a gateway that listens. */
export function describeAddresses({ api, admin }: Addresses): string {
  if (admin === undefined) return `Listening on ${api} (API); the admin API is off.`
  return `Listening on ${api} (API) and ${admin} (admin).`
}

/**
 * Serves a configuration until a signal. Rejects with `ConfigurationError`, `StoreUnavailable` or
 * `CommandError` if it cannot serve.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const { configuration, invocation, signal, prepare } = options
  const { settings, storeBase } = configuration
  const { say, env, stderr } = invocation.terminal
  const surroundings = { env, isAttended: stderr.isTTY }
  const drainTimesAt = readDrainTimes(surroundings, settings.timeouts.drainMs)

  await using resources = new AsyncDisposableStack()
  const reloadTrigger = watchForReload(configuration.file)
  resources.defer(() => reloadTrigger.close())
  await assertServable(configuration)
  const worker = workerNumber(env)
  const isFirst = (worker ?? 1) === 1
  const logs = resources.use(openLogs(settings.log, invocation.terminal, worker))
  const { log, lines } = logs
  const logSender = await sendLogs(settings.telemetry.logs, logs, resources)
  const defects = resources.use(surviveDefects(log, invocation.options['debug'] !== undefined))
  const store = await openLoggedStore(settings.store, { cwd: storeBase, log })
  resources.defer(() => store.close())
  const announcement = await prepare?.(store)

  const counting = hasMetrics(settings)
    ? await (await import('./metrics.ts')).openMetrics(settings, { worker, env, log, resources })
    : undefined
  const metrics = counting?.metrics
  // Loaded here, so that a gateway without the admin API, and other commands, start without it.
  const monitor = settings.admin
    ? (await import('../admin/processes/monitor.ts')).createMonitor()
    : undefined
  const { default: pipeline, adminPipeline } = await import('../../config/gateway.config.ts')
  const running = resources.use(
    await startGateway({
      pipeline,
      settings,
      store,
      env,
      cwd: storeBase,
      log,
      lines,
      debug: invocation.options['debug'] !== undefined,
      metrics,
      onLedgerRows: settings.telemetry.logs.ledger ? logSender?.pushRows : undefined,
      version: packageVersion(),
      ...(monitor && { monitor }),
      onSnapshot: (snapshot) => adminGateway?.update(snapshot),
    }),
  )
  const { gateway, keys, accounts, health } = running
  health.defects = () => defects.count
  await checkStart(await surroundingsOf(running, { configuration, invocation }), log, isFirst)
  const adminTokens = settings.admin && (await import('./admin-tokens/first-token.ts'))
  const adminGateway = settings.admin
    ? createGateway({
        plugins: adminPipeline({ health, metrics }, running.plugins),
        snapshot: accounts.snapshot,
        onDefect: (message, error) => log.error(message, describeError(error)),
      })
    : undefined
  resources.defer(() => adminGateway?.dispose())
  const tracker = trackConfiguration(settings, configuration)
  const { promise: adminAudit, resolve: hasAdmin } = Promise.withResolvers<AuditLog>()
  const auditOf = settings.admin ? () => adminAudit : onlyAudit(store, log)
  const reloading = reloadOnChange({
    configuration,
    invocation,
    running,
    log,
    tracker: noteReloads(tracker, {
      reloaded: (next) => logs.configure(next.log),
      noteReload: (isTaken) => metrics?.noteReload(isTaken),
    }),
    reloadTrigger,
    // Each worker reloads; one record is enough.
    auditOf: isFirst ? auditOf : undefined,
  })
  const { promise: drainRequest, resolve: endProcess } = Promise.withResolvers<ShutdownSignal>()
  const shared = readWorkerAddresses(env)
  const api = { ...running, sockets: gateway.sockets }
  const listener = await open(api, settings.listen, {
    portFlag: '--port',
    shared: shared.api,
    resources,
    lines,
  })
  running.publicUrl.listening(listener.url)
  const addresses: Addresses = { api: listener.url }
  if (settings.admin && adminGateway) {
    const { startAdmin } = await import('../admin/start-admin.ts')
    const others = adminGateway.listener
    const { inUse } = tracker
    const admin = resources.use(
      await startAdmin({
        running,
        settings: () => inUse.settings,
        configuration: inUse,
        log,
        others,
        processes: {
          ...processOptions(worker, {
            ...reloading,
            drain: () => endProcess('SIGTERM'),
            drainDelayMs: drainTimesAt('SIGTERM').delayMs,
          }),
          ...(monitor && { monitor }),
        },
      }),
    )
    hasAdmin(admin.services.audit)
    const { url } = await open(admin, settings.admin, {
      portFlag: '--admin-port',
      shared: shared.admin,
      resources,
      lines,
    })
    addresses.admin = url
  }
  if (worker === undefined) say(describeAddresses(addresses))
  else announceServing(addresses)
  if (announcement) say(announcement(listener.url))
  else if (keys.size === 0 && isFirst && !hasAuthenticator(settings))
    say(
      `No API key exists, so every call will be rejected: ${issueKeyHint(settings, invocation.options)}.`,
    )
  if (worker === undefined && adminTokens && addresses.admin !== undefined) {
    const message = await adminTokens.announceFirstToken(
      settings,
      store,
      addresses.admin,
      invocation,
    )
    sayIfAny(say, message)
  }

  const releasing = releaseStartMemory(() => gateway.hasServed())
  const end = await Promise.race([signal, drainRequest])
  clearTimeout(releasing)
  health.draining = true
  // Collectors may be slow: their time passes while idle connections may still bring a request.
  const onIdle = () => {
    for (const sender of [running.traces, counting?.sender, logSender]) sender?.sendLast()
  }
  await drain({
    gateway,
    listener,
    say,
    onIdle,
    othersStop: worker === undefined ? undefined : othersStop,
    ...drainTimesAt(end),
  })
}

/** The input of the checks of a start. */
async function surroundingsOf(
  { plugins, accounts, storedAccounts, keys, store }: RunningGateway,
  { configuration, invocation }: Pick<ServerOptions, 'configuration' | 'invocation'>,
): Promise<Checked> {
  const isRead = await accountRecords(store)
    .list({ limit: 1 })
    .then(() => true)
    .catch(() => false)
  const count = configuration.settings.accounts.length + storedAccounts.accounts.length
  const { env } = invocation.terminal
  return {
    configuration,
    plan: { plugins, snapshot: accounts.snapshot },
    options: invocation.options,
    env,
    accounts: isRead ? count : undefined,
    usableKeys: keys.size,
    async records() {
      // Few starts read them.
      const { readRecords } = await import('./stored-records.ts')
      return await readRecords(store, configuration, env).catch(() => undefined)
    },
  }
}

/** Whether anyone can read metrics. */
function hasMetrics({ telemetry: { metrics }, admin }: Settings): boolean {
  return metrics !== false && (admin !== false || metrics.otlp)
}

/** A tracker that reports reloads. */
function noteReloads(
  tracker: Pick<ConfigurationTracker, 'prepare' | 'reloaded' | 'refused'>,
  { reloaded, noteReload }: Pick<Metrics, 'noteReload'> & { reloaded(settings: Settings): void },
): typeof tracker {
  return {
    prepare: (settings) => tracker.prepare(settings),
    reloaded(settings) {
      noteReload(true)
      reloaded(settings)
      return tracker.reloaded(settings)
    },
    refused(problems) {
      noteReload(false)
      tracker.refused(problems)
    },
  }
}

/** The audit log of a gateway without the admin API. Few such gateways reload. */
function onlyAudit(store: Store, log: Log): () => Promise<AuditLog> {
  let opened: AuditLog | undefined
  const onRecord = (entry: AuditEntry) => log.info('audit', { audit: entry })
  return async () => {
    const { createAuditLog } = await import('../audit/log.ts')
    return (opened ??= createAuditLog({ store, onRecord }))
  }
}

function sayIfAny(say: (text: string) => void, text: string): void {
  if (text !== '') say(text)
}

/** The data that other processes get from this one, and the commands that they may send to it. */
function processOptions(
  worker: number | undefined,
  control: ProcessControl & Required<Pick<ProcessControl, 'drain'>>,
) {
  const drain = (everything: boolean) =>
    everything && worker !== undefined ? requestDrain() : control.drain(everything)
  return {
    version: packageVersion(),
    control: { ...control, drain },
    ...(worker !== undefined && { worker }),
  }
}

function assertSound({ problems }: Plan): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** How an endpoint is opened. */
interface OpenOptions {
  readonly portFlag: '--port' | '--admin-port'
  /** Where other workers listen too, in place of the endpoint: the configuration may have changed since. */
  readonly shared: Endpoint | undefined
  readonly resources: AsyncDisposableStack
  /** The access log. */
  readonly lines: LineWriter
}

/** Listens on an endpoint. Disposing of `resources` closes all remaining connections. */
async function open(
  {
    listener: requests,
    proxies,
    errors,
    sockets,
  }: Pick<RunningGateway, 'listener' | 'proxies'> &
    Partial<Pick<RunningGateway, 'errors'> & Pick<RunningGateway['gateway'], 'sockets'>>,
  endpoint: Endpoint,
  { portFlag, shared, resources, lines }: OpenOptions,
): Promise<Listener> {
  const onRefused = noteRefusedConnections({
    lines,
    listener: portFlag === '--port' ? 'api' : 'admin',
  })
  const address = shared ?? endpoint
  const sharesPort = shared !== undefined
  const options = { ...address, sharesPort, proxies, errors, sockets, onRefused }
  const listener = await listen(requests, options).catch((error) => {
    throw explainListenError(error, address, portFlag)
  })
  resources.defer(async () => {
    listener.closeNow()
    await listener.close().catch(() => {})
  })
  return listener
}
