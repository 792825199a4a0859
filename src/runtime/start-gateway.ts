import type { RequestListener } from 'node:http'
import { join } from 'node:path'

import { AccountSlots } from '../accounts/slots.ts'
import { type Teams, createTeams } from '../accounts/teams.ts'
import { type AccountsConfigured, type LiveAccounts, createLiveAccounts } from '../accounts/live.ts'
import { bodyPace } from '../kit/body-limits.ts'
import type { Config } from '../configuration/config.generated.ts'
import { createCredentialPlaces } from '../configuration/credential-places.ts'
import { loadPlugins } from '../configuration/plugins/load.ts'
import { resolveSettings } from '../configuration/resolve.ts'
import { readSecretKeys } from '../configuration/secret-keys.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { Settings } from '../configuration/settings.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { defaultTimeouts } from '../contract/limits.ts'
import type { LedgerRow } from '../contract/ledger-row.ts'
import type { ExchangeMonitor } from '../contract/monitor.ts'
import { type GatewayPlugin, dialectsOf } from '../contract/plugin.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { type Gateway, createGateway } from '../gateway.ts'
import { type TrustedProxies, createClientOf, createTrustedProxies } from '../exchange/client.ts'
import { checkNamesIn } from '../hooks/check-plugins.ts'
import { disposePlugins } from '../hooks/lifecycle.ts'
import { scoped } from '../hooks/scoped.ts'
import { recordHistory } from '../history/index.ts'
import { type PublicUrl, createPublicUrl } from '../kit/public-url.ts'
import { type LimitSet, createLimitSet, limitsOf } from '../limits/limit-set.ts'
import {
  type LineWriter,
  type Log,
  createLineWriter,
  createLog,
  describeError,
} from '../lib/log.ts'
import type { OperatorStates } from '../stores/operator-states.ts'
import { type KeyRing, type RingKey, createKeyRing } from '../stores/key-ring.ts'
import type { StoredAliases } from '../stores/aliases.ts'
import type { FollowedSettings } from '../stores/stored-settings.ts'
import type { PriceRecord } from '../stores/prices.ts'
import type { TeamRecord } from '../stores/teams.ts'
import { type KeyUses, recordKeyUses } from '../stores/key-uses.ts'
import { createSealer } from '../stores/sealing.ts'
import type { Store } from '../stores/store.ts'
import { storeKind } from '../stores/open.ts'
import type { OpenOptions, Traces } from '../telemetry/traces/plugin.ts'
import { type InFlight, followInFlight } from '../exchange/in-flight.ts'
import { askAccount, endOfVideo } from '../jobs/ask-account.ts'
import { ordinaryCostOf } from '../jobs/spend.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import { createTranslationServices } from '../translate/services.ts'
import { readProxies } from '../upstream/environment-proxies.ts'
import type { HealthState, Pipeline } from './pipeline.ts'
import { jobPagesOf } from '../jobs/known-jobs.ts'
import type { SharedParts } from './shared-parts.ts'
import { type StoredAccounts, followStoredAccounts, logStoredProblems } from './stored-accounts.ts'
import { createLife } from './plugin-life.ts'
import {
  type StoredLimits,
  followAccounts,
  followStoredAliases,
  followStoredLimits,
  followStoredPrices,
  followStoredTeams,
  openLoggedStore,
} from './stores.ts'

/** Options of `startGateway`. */
export interface StartOptions {
  /** The shipped pipeline is the default export of `dragoman/config`. */
  readonly pipeline: Pipeline
  /** The content of a configuration file, in the directory `cwd`. Ignored if `settings` is present. */
  readonly config?: Config
  /** The checked configuration, from `resolveSettings`. */
  readonly settings?: Settings
  /** An open store, which stays open. Default: opens `config.store`, and closes it at the end. */
  readonly store?: Store
  /** The variables of the secrets that the store's accounts name. Default: the variables of the process. */
  readonly env?: EnvironmentVariables
  /** The base of relative directories of store, uploads and spool. Default: the working directory. */
  readonly cwd?: string
  /** The log for operators. Default: standard error. */
  readonly log?: Log
  /** The access log's lines. Default: standard output. */
  readonly lines?: LineWriter
  /** The clock of bindings, jobs and signed URLs, in milliseconds since 1970. */
  readonly now?: () => number
  /** Whether logged errors carry their stacks. */
  readonly debug?: boolean
  /** The version of the package, which traces name. */
  readonly version?: string
  /** Observes all exchanges and attempts, for operators. */
  readonly monitor?: GatewayMonitor
  /** Counts what happens. The caller disposes of it. Absent: nothing is counted. */
  readonly metrics?: Metrics | undefined
  /** False for a gateway that only explains: no plugin's `onStart` and no task runs, which may send or write. */
  readonly startsPlugins?: boolean
  /** Called with the rows of the ledger as they go to the store. Must not throw. */
  readonly onLedgerRows?: ((rows: readonly LedgerRow[]) => void) | undefined
  /** Called with each snapshot of the accounts that replaces another. */
  readonly onSnapshot?: (snapshot: Snapshot) => void
}

/** Observes exchanges and, by the hooks of its plugin, attempts. */
export interface GatewayMonitor extends ExchangeMonitor, InFlight {
  readonly plugin: GatewayPlugin
}

/** A gateway with its store, API keys and accounts. It does not listen; pass `listener` to a server. */
export interface RunningGateway extends AsyncDisposable {
  readonly gateway: Gateway
  /** For `node:http`. */
  readonly listener: RequestListener
  readonly plugins: readonly GatewayPlugin[]
  /** The parts that the pipeline shares with the admin API. */
  readonly shared: SharedParts
  readonly store: Store
  readonly keys: KeyRing
  readonly keyUses: Pick<KeyUses, 'pending' | 'write'>
  readonly teams: Teams
  /** The teams of the store. */
  readonly storedTeams: Pick<FollowedSettings<TeamRecord>, 'records' | 'catchUp' | 'isStale'>
  readonly limits: LimitSet
  /** The limits of the store. */
  readonly storedLimits: Pick<
    StoredLimits['storedLimits'],
    'records' | 'unreadable' | 'catchUp' | 'isStale'
  >
  /** What limits are granted besides their amounts. */
  readonly extras: Pick<StoredLimits['extras'], 'records' | 'catchUp' | 'isStale'>
  readonly accounts: LiveAccounts
  readonly storedAccounts: StoredAccounts
  /** Which accounts operators have disabled. */
  readonly accountStates: Pick<OperatorStates, 'disabled' | 'reasonOf' | 'catchUp' | 'isStale'>
  /** The aliases of the store. */
  readonly aliases: Pick<StoredAliases, 'records' | 'settings' | 'catchUp' | 'isStale'>
  /** The prices of the store. */
  readonly prices: Pick<FollowedSettings<PriceRecord>, 'records' | 'catchUp' | 'isStale'>
  readonly health: HealthState & { draining: boolean }
  /** If no `publicUrl` is configured, call `publicUrl.listening(url)` when the address is known. */
  readonly publicUrl: PublicUrl
  /** Absent: nothing is traced. */
  readonly traces?: Pick<Traces, 'sendLast'> | undefined
  /** `trustedProxies` of the configuration, for `listen`. */
  readonly proxies: TrustedProxies
  /** The configured form of errors. */
  readonly errors: Settings['errors']
  /** Compiles the accounts of a configuration in turns of the event loop, before `configure` or `check` of it. */
  prepare(changed: Pick<AccountsConfigured, 'accounts'>): Promise<void>
  /**
   * Replaces accounts, aliases, keys, teams, limits and trusted proxies, as a reload of the configuration does. Throws
   * `ConfigurationError` for `problems` and for problems of the accounts or keys; then nothing changes.
   */
  configure(
    changed: AccountsConfigured & { readonly keys: readonly RingKey[] } & Partial<
        Pick<Settings, 'credentialPlaces' | 'trustedProxies' | 'teams' | 'quotas'>
      >,
    problems?: readonly Problem[],
  ): void
  /** Throws as `configure` does, and changes nothing. */
  check(
    changed: AccountsConfigured & { readonly keys: readonly RingKey[] },
    problems?: readonly Problem[],
  ): void
}

/**
 * Starts a gateway: opens the store, follows its API keys, accounts and disabled accounts, and creates the
 * pipeline. Rejects with `ConfigurationError`, or with `StoreUnavailable` if a store's directory cannot
 * be used; then nothing stays open.
 */
export async function startGateway(options: StartOptions): Promise<RunningGateway> {
  const { config = {}, cwd = process.cwd(), log = createLog(process.stderr) } = options
  const settings = options.settings ?? (await settingsOf(config, cwd))

  await using opening = new AsyncDisposableStack()
  const { metrics } = options
  const ownStore = options.store ?? (await openLoggedStore(settings.store, { cwd, log }))
  if (!options.store) opening.defer(() => ownStore.close())
  const store = metrics?.observeStore(ownStore, storeKind(settings.store)) ?? ownStore
  const keys = await createKeyRing({
    configured: settings.keys,
    store,
    onError: (error) =>
      log.error('the store failed; the last known API keys stay valid', describeError(error)),
    onUnreadable: (ids) =>
      log.error('records of API keys are damaged; these keys are rejected', { keys: ids }),
  })
  opening.defer(() => keys.close())
  const keyUses = recordKeyUses({ keys, store })
  opening.defer(() => keyUses.close())
  const teams = createTeams(settings.teams)
  const storedTeams = await followStoredTeams(store, log, (all) => teams.replace('STORE', all))
  opening.defer(() => storedTeams.close())
  const limits = createLimitSet(limitsOf(settings))
  const { storedLimits, extras } = await followStoredLimits(store, log, limits)
  opening.defer(() => {
    storedLimits.close()
    extras.close()
  })
  const states = await followAccounts(store, log)
  opening.defer(() => states.close())
  const problems: Problem[] = []
  const environmentProxies = readProxies(options.env ?? process.env, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const placesOf = (setting: Settings['credentialPlaces']) =>
    createCredentialPlaces(setting, { store: settings.store, cwd })
  const places = placesOf(settings.credentialPlaces)
  const access = { ...credentialAccess(options, store), places }
  const stored = await followStoredAccounts(store, access, log)
  opening.defer(() => stored.close())
  const aliases = await followStoredAliases(store, log)
  opening.defer(() => aliases.close())
  const prices = await followStoredPrices(store, log)
  opening.defer(() => prices.close())

  const health: RunningGateway['health'] = {
    draining: false,
    inflight: () => gateway.inflight(),
    accounts: () => accounts.size,
    invalidAccounts: () => accounts.storedProblems.size,
    spool: () => gateway.spool(),
    probes: () => life.probe(),
  }
  const publicUrl = createPublicUrl(settings.publicUrl)
  let { trustedProxies } = settings
  const proxies = createTrustedProxies(() => trustedProxies)
  const shared: SharedParts = {}
  const monitor = options.monitor ?? (metrics && followInFlight())
  const slots = new AccountSlots()
  const traces = await openTracesOf(settings, {
    log,
    version: options.version,
    store: storeKind(settings.store),
  })
  const { capture } = settings
  // A gateway without captures loads none of it.
  const captures = capture
    ? await (
        await import('../capture/index.ts')
      ).openCaptures({
        setting: capture,
        store,
        log,
        now: options.now,
      })
    : undefined
  opening.defer(() => captures?.close())
  const history = settings.history
    ? recordHistory({
        store,
        storeUrl: settings.store,
        log,
        directory: settings.spool,
        now: options.now,
        plugins: settings.plugins,
        onRows: options.onLedgerRows,
      })
    : undefined
  const shipped = options.pipeline({
    lines: options.lines ?? createLineWriter(process.stdout),
    imageModels: settings.imageModels,
    passthrough: settings.passthrough,
    plugins: settings.plugins,
    ...(options.now && { now: options.now }),
    keys,
    teams,
    limits: {
      limits,
      spool: settings.spool,
      storeUrl: settings.store,
      webhook: settings.alerts.webhook,
    },
    store,
    log,
    health,
    slots,
    checkAccount: (candidate) => gateway.checkAccount(candidate),
    listModels: (account) => gateway.listModels(account),
    share: (parts) => void Object.assign(shared, parts),
    uploads: {
      settings: settings.uploads,
      pace: bodyPace({ ...settings.timeouts, ...settings.limits }),
      publicUrl,
      cwd,
    },
  })
  // Traces last, so that the span of an attempt has what other plugins make of the request.
  const observers = [metrics, options.monitor, captures, traces].flatMap((one) => one?.plugin ?? [])
  const plugins = [...shipped, ...(history ? [history.plugin] : []), ...observers]
  const added = new Set(settings.plugins)
  const { pluginMs } = { ...defaultTimeouts, ...settings.timeouts }
  const served = plugins.map((one) => (added.has(one) ? scoped(one, pluginMs) : one))
  let hasGateway = false
  // Once there is a gateway, it disposes its plugins.
  opening.defer(() => (hasGateway ? undefined : disposePlugins(plugins, () => {})))
  const accounts = createLiveAccounts({
    configured: settings,
    // Plugins of the configuration that have the name of a shipped one.
    problems: checkNamesIn(
      plugins,
      settings.plugins.map((plugin, index) => ({ plugin, path: `plugins[${index}]` })),
    ),
    dialects: dialectsOf(served),
    states,
    stored,
    onStoredProblems: (problems) => logStoredProblems(log, problems),
    aliases,
    prices,
    isComplete: () => ![states, stored, aliases].some(({ isStale }) => isStale),
    update(snapshot) {
      gateway.update(snapshot)
      options.onSnapshot?.(snapshot)
    },
  })
  // Listeners run in the order of their registration. `accounts` registers its listener before this one, so a change is in
  // force when the log names it.
  states.onChange(({ off, on }) => log.info('accounts enabled/disabled', { off, on }))
  const gateway = createGateway({
    ...settings,
    log,
    plugins: served,
    snapshot: accounts.snapshot,
    slots,
    proxies: environmentProxies,
    clientOf: createClientOf(proxies),
    ...(monitor && { monitor }),
    ...(traces && { tracer: traces.tracer }),
    ...(captures && { captures }),
    translation: createTranslationServices({ ...settings, store, log }),
    onDefect: (message, error, about) =>
      log.error(message, { ...about, ...describeError(error, options.debug) }),
  })
  hasGateway = true
  shared.jobs?.onEnd((job) => {
    const { id, keyId } = job
    const name = { kind: 'video', keyId, id } as const
    void shared.openJobs?.end(name, () => endOfVideo(job, accounts.snapshot))
  })
  shared.openJobs?.askWith((job) =>
    askAccount(job, {
      lookUp: gateway.lookUp,
      snapshot: accounts.snapshot,
      jobs: shared.jobs,
      now: options.now ?? Date.now,
    }),
  )
  shared.openJobs?.onEnd((job, spend) => {
    const { snapshot } = accounts
    metrics?.jobEnded(job, spend, snapshot)
    shared.limits?.jobEnded(job, spend, ordinaryCostOf(job, spend, snapshot))
    history?.jobEnded(job, spend, snapshot)
  })
  metrics?.follow({
    inFlight: () => monitor?.inFlight ?? [],
    sockets: () => gateway.sockets.size,
    accounts: () => accounts.snapshot.accounts,
    plugins,
    jobs: () => jobPagesOf(shared),
    limits: () => shared.limits,
  })
  opening.defer(() => gateway.dispose())
  const life = createLife(plugins, { store, log, debug: options.debug })
  opening.defer(() => life.end())
  if (options.startsPlugins !== false) await life.start()

  const opened = opening.move()
  return {
    gateway,
    listener: gateway.listener,
    plugins,
    shared,
    store,
    keys,
    keyUses,
    teams,
    storedTeams,
    limits,
    storedLimits,
    extras,
    accounts,
    storedAccounts: stored,
    accountStates: states,
    aliases,
    prices,
    health,
    publicUrl,
    traces,
    proxies,
    errors: settings.errors,
    prepare: (changed) => accounts.prepare(changed),
    configure(changed, problems) {
      const replaceKeys = keys.prepare(changed.keys)
      accounts.configure(changed, problems)
      replaceKeys()
      if (changed.teams) teams.replace('FILE', changed.teams)
      limits.replace('FILE', limitsOf(changed))
      trustedProxies = changed.trustedProxies ?? trustedProxies
      const { credentialPlaces } = changed
      stored.readCredentials(credentialPlaces && placesOf(credentialPlaces))
    },
    check(changed, problems) {
      keys.prepare(changed.keys)
      accounts.check(changed, problems)
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function settingsOf(config: Config, cwd: string): Promise<Settings> {
  const { env } = process
  const plugins = await loadPlugins(config, { file: join(cwd, 'config.ts'), env })
  return resolveSettings(config, { env, cwd, plugins })
}

/** Throws `ConfigurationError` for invalid keys. */
function credentialAccess({ env = process.env }: StartOptions, store: Store) {
  const problems: Problem[] = []
  const keys = readSecretKeys(env, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const { ownSecretKey } = store
  return { env, sealer: createSealer(keys, ownSecretKey && (() => ownSecretKey.call(store))) }
}

/** Loads the SDK where traces are on. Without it the gateway serves all the same. */
async function openTracesOf(
  { telemetry: { traces } }: Settings,
  options: OpenOptions,
): Promise<Traces | undefined> {
  if (!traces) return undefined
  try {
    const { openTraces } = await import('../telemetry/traces/plugin.ts')
    return await openTraces(traces, options)
  } catch (error) {
    options.log.error('traces are off: OpenTelemetry could not be started', describeError(error))
    return undefined
  }
}
