import { createLiveAccounts } from '../accounts/live.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { ConfigurationError } from '../contract/problems.ts'
import type { Endpoint } from '../configuration/settings.ts'
import { type Gateway, createGateway } from '../gateway.ts'
import { createLineWriter } from '../lib/line-writer.ts'
import { type Listener, listen } from '../http/listen.ts'
import { type Log, createLog, describeError } from '../lib/log.ts'
import { createPublicUrl } from '../kit/public-url.ts'
import { spoolFault } from '../body/spool/fault.ts'
import { createKeyRing } from '../stores/key-ring.ts'
import { openStore } from '../stores/open.ts'
import type { Store } from '../stores/store.ts'
import { createTranslationServices } from '../translate/services.ts'
import type { Invocation } from './command.ts'
import type { Configured } from './configured.ts'
import { drain } from './drain.ts'
import { assertGuarded, howToIssueKey } from './guarded.ts'
import { explainListenError } from './addresses.ts'
import { type Plan, type Services, idleServices, planGateway } from './plan.ts'
import { followConfiguration } from './reload/index.ts'
import { noticeChanges } from './reload/noticing.ts'
import type { ShutdownSignal } from './signals.ts'
import { followSwitchedAccounts } from './switched-accounts.ts'
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
  return `Dragoman listens on ${clients}, for operators on ${operators}.`
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
  const log = createLog(invocation.terminal.stderr, worker === undefined ? {} : { worker })
  const onError = once((error) => log.error('the store is away', describeError(error)), outageMs)
  const store = await openStore(settings.store, { cwd: storeBase, onError })
  resources.defer(() => store.close())
  const announcement = await prepare?.(store)

  const keys = await createKeyRing({
    configured: settings.keys,
    store,
    onError: (error) =>
      log.error('the store failed; keys stay as they were last known', describeError(error)),
  })
  resources.defer(() => keys.close())
  assertGuarded(settings, keys.size, invocation.options)
  const states = await followSwitchedAccounts(store, log)
  resources.defer(() => states.close())

  const lines = createLineWriter(invocation.terminal.stdout)
  const health = {
    draining: false,
    inflight: () => gateway.inflight(),
    accounts: () => accounts.size,
    spool: () => gateway.spool(),
  }
  const publicUrl = createPublicUrl(settings.publicUrl)
  const uploads = { publicUrl, cwd: storeBase }
  const plan = await planGateway(configured, { keys, store, log, lines, health, uploads })
  assertSound(plan)
  const fault = await spoolFault(settings.spool)
  if (fault) log.warn('the spool cannot be used: large forms are answered 503', { fault })
  if ((worker ?? 1) === 1) await tellUploadsFault(configured, log)
  const gateway = openGateway(plan, options, { store, log })
  resources.defer(() => gateway.dispose())
  const operatorGateway = await openOperatorGateway(plan, { health }, log)
  resources.defer(() => operatorGateway.dispose())

  const update = (snapshot: Snapshot) => {
    gateway.update(snapshot)
    operatorGateway.update(snapshot)
  }
  const dialects = plan.plugins.flatMap((plugin) => plugin.dialects ?? [])
  const accounts = createLiveAccounts({ configured: settings, dialects, states, update })
  update(accounts.snapshot)
  followConfiguration({ configured, invocation, keys, accounts, log, noticing })
  const clients = await open(gateway, settings.listen, '--port', resources)
  publicUrl.listening(clients.url)
  const operators = await open(operatorGateway, settings.admin, '--admin-port', resources)
  const addresses = { clients: clients.url, operators: operators.url }
  if (worker === undefined) say(describeAddresses(addresses))
  else announceServing(addresses)
  if (announcement) say(announcement(clients.url))
  else if (keys.size === 0 && (worker ?? 1) === 1)
    say(`Nobody gets in yet: ${howToIssueKey(settings, invocation.options)}.`)

  const delayMs = (await signal) === 'SIGTERM' ? Number(env['DRAGOMAN_DRAIN_DELAY_MS'] || 0) : 0
  health.draining = true
  await drain({ gateway, clients, say, delayMs, timeoutMs: settings.timeouts.drainMs })
}

/** A store that is away fails over and over: one line in this time says so, in milliseconds. */
const outageMs = 60_000

function once(tell: (error: unknown) => void, everyMs: number): (error: unknown) => void {
  let last = -Infinity
  return (error) => {
    if (performance.now() - last < everyMs) return
    last = performance.now()
    tell(error)
  }
}

async function tellUploadsFault(configured: Configured, log: Log): Promise<void> {
  const { message } = (await uploadsFault(configured)) ?? {}
  if (message) log.warn('uploads cannot be kept: they are answered 503', { fault: message })
}

function assertSound({ problems }: Plan): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

function openGateway(
  plan: Plan,
  { configured, invocation }: ServerOptions,
  { store, log }: { store: Store; log: Log },
): Gateway {
  const { errors, limits, timeouts, spool, clientGone, losses, remote } = configured.settings
  const debug = invocation.options['debug'] !== undefined
  return createGateway({
    plugins: plan.plugins,
    snapshot: plan.snapshot,
    errors,
    limits,
    timeouts,
    spool,
    clientGone,
    translation: createTranslationServices({ losses, remote, store, log }),
    onDefect: (message, error, about) =>
      log.error(message, { ...about, ...describeError(error, debug) }),
  })
}

async function openOperatorGateway(
  { snapshot, plugins }: Plan,
  services: Pick<Services, 'health'>,
  log: Log,
): Promise<Gateway> {
  const { adminPipeline } = await import('../../config/gateway.config.ts')
  return createGateway({
    plugins: adminPipeline(services, plugins),
    snapshot,
    onDefect: (message, error) => log.error(message, describeError(error)),
  })
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
