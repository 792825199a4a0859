import { ConfigurationError } from '../contract/problems.ts'
import type { Endpoint } from '../configuration/settings.ts'
import { type Gateway, createGateway } from '../gateway.ts'
import { createLineWriter } from '../lib/line-writer.ts'
import { type Listener, listen } from '../http/listen.ts'
import { type Log, createLog, describeError } from '../lib/log.ts'
import { spoolFault } from '../body/spool/fault.ts'
import { startGateway } from '../runtime/start-gateway.ts'
import { openLoggedStore } from '../runtime/stores.ts'
import type { Store } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import type { Configured } from './configured.ts'
import { drain } from './drain.ts'
import { assertGuarded, howToIssueKey, knowsOtherCallers } from './guarded.ts'
import { explainListenError } from './addresses.ts'
import { type Plan, idleServices, planGateway } from './plan.ts'
import { followConfiguration } from './reload/index.ts'
import { noticeChanges } from './reload/noticing.ts'
import type { ShutdownSignal } from './signals.ts'
import { uploadsFault } from './uploads-fault.ts'
import { type Addresses, announceServing, workerNumber } from './workers.ts'

export interface ServerOptions {
  configured: Configured
  invocation: Invocation
  /** Resolves when the server is to end. */
  signal: Promise<ShutdownSignal>
  /** Works on the store before anybody is served; what it answers is said once the server is up. */
  prepare?: (store: Store) => Promise<(url: string) => string>
}

/** Throws `ConfigurationError` with every problem, those that only the providers can tell included. */
export async function assertServable(configured: Configured): Promise<void> {
  if (configured.problems.length > 0) assertSound(await planGateway(configured, idleServices()))
}

export function describeAddresses({ clients, operators }: Addresses): string {
  return `Listening on ${clients} (API) and ${operators} (admin).`
}

/**
 * Serves a configuration until a signal. Rejects with `ConfigurationError`, `StoreUnavailable` or
 * `CommandError` where it cannot.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const { configured, invocation, signal, prepare } = options
  const { settings, storeBase } = configured
  const { say, env } = invocation.terminal

  await using resources = new AsyncDisposableStack()
  const noticing = noticeChanges(configured.file)
  resources.defer(() => noticing.close())
  await assertServable(configured)
  const worker = workerNumber(env)
  const isFirst = (worker ?? 1) === 1
  const log = createLog(invocation.terminal.stderr, worker === undefined ? {} : { worker })
  const store = await openLoggedStore(settings.store, { cwd: storeBase, log })
  resources.defer(() => store.close())
  const announcement = await prepare?.(store)

  const { default: pipeline, adminPipeline } = await import('../../config/gateway.config.ts')
  const running = resources.use(
    await startGateway({
      pipeline,
      settings,
      store,
      cwd: storeBase,
      log,
      lines: createLineWriter(invocation.terminal.stdout),
      debug: invocation.options['debug'] !== undefined,
      onSnapshot: (snapshot) => adminGateway.update(snapshot),
    }),
  )
  const { gateway, keys, accounts, health } = running
  assertGuarded(settings, keys.size, invocation.options)
  const adminGateway = createGateway({
    plugins: adminPipeline({ health }, running.plugins),
    snapshot: accounts.snapshot,
    onDefect: (message, error) => log.error(message, describeError(error)),
  })
  resources.defer(() => adminGateway.dispose())
  await warnOfFaults(configured, log, isFirst)
  followConfiguration({ configured, invocation, running, log, noticing })
  const clients = await open(gateway, settings.listen, '--port', resources)
  running.publicUrl.listening(clients.url)
  const operators = await open(adminGateway, settings.admin, '--admin-port', resources)
  const addresses = { clients: clients.url, operators: operators.url }
  if (worker === undefined) say(describeAddresses(addresses))
  else announceServing(addresses)
  if (announcement) say(announcement(clients.url))
  else if (keys.size === 0 && isFirst && !knowsOtherCallers(settings))
    say(
      `No API key exists, so every call will be rejected: ${howToIssueKey(settings, invocation.options)}.`,
    )

  const delayMs = (await signal) === 'SIGTERM' ? Number(env['DRAGOMAN_DRAIN_DELAY_MS'] || 0) : 0
  health.draining = true
  await drain({ gateway, clients, say, delayMs, timeoutMs: settings.timeouts.drainMs })
}

/** Faults that leave the rest of the gateway working. */
async function warnOfFaults(configured: Configured, log: Log, isFirst: boolean): Promise<void> {
  const fault = await spoolFault(configured.settings.spool)
  if (fault) log.warn('the spool cannot be used: large forms are answered 503', { fault })
  const { message } = (isFirst && (await uploadsFault(configured))) || {}
  if (message) log.warn('uploads cannot be kept: they are answered 503', { fault: message })
}

function assertSound({ problems }: Plan): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Listens, and stops at the end of `resources` whatever is still open then. */
async function open(
  gateway: Gateway,
  endpoint: Endpoint,
  portFlag: string,
  resources: AsyncDisposableStack,
): Promise<Listener> {
  const listener = await listen(gateway.listener, endpoint).catch((error) => {
    throw explainListenError(error, endpoint, portFlag)
  })
  resources.defer(async () => {
    listener.closeNow()
    await listener.close().catch(() => {})
  })
  return listener
}
