import { hasAccounts, hasClients } from './contract/dialect.ts'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type { Account } from './contract/account.ts'
import type { Candidate, Snapshot } from './contract/candidate.ts'
import { type AccountSlots, FreeSlots } from './accounts/slots.ts'
import type { Captures } from './contract/captures.ts'
import { attemptCall } from './attempt/attempt.ts'
import { serveWithFallbacks } from './attempt/fallbacks.ts'
import { createEnvironment } from './attempt/create-environment.ts'
import { lookUpWithoutClient } from './attempt/without-client.ts'
import { createDryRuns } from './attempt/dry-runs.ts'
import type { Explanation } from './attempt/explain.ts'
import { emptyBody } from './body/read-body.ts'
import { composeHooks } from './hooks/compose.ts'
import { deliver, deliverError, withIds } from './exchange/deliver.ts'
import { cancelExchange } from './exchange/cancel.ts'
import { type ClientOf, peerOf } from './exchange/client.ts'
import { createListener, writeOrReset } from './http/listener.ts'
import { type SocketDoor, createSocketDoor } from './http/sockets/door.ts'
import type {
  AccountClient,
  ForwardOperation,
  PerformOperation,
  ServeOperation,
} from './contract/operation.ts'
import type { GatewayError } from './contract/errors.ts'
import type { Authenticated, Identified, Received, Understood } from './contract/exchange.ts'
import type { ExchangeMonitor } from './contract/monitor.ts'
import type { Reply, Summary } from './contract/outcome.ts'
import type { AccountCheck } from './contract/refusal.ts'
import type { ErrorForm } from './contract/request.ts'
import type { Tracer } from './contract/tracer.ts'
import type { Log } from './lib/log.ts'
import { isThenable } from './lib/maybe-promise.ts'
import { createFileBinder, createFileInliner } from './file-references/index.ts'
import { UploadMemoryPool } from './file-references/upload-memory.ts'
import { performCall } from './attempt/perform.ts'
import type { GatewayPlugin } from './contract/plugin.ts'
import { type About, reportDefect } from './hooks/plugin-failures.ts'
import { readJson } from './body/read-request.ts'
import { MemoryPool } from './exchange/memory-pool.ts'
import { receive } from './exchange/receive.ts'
import { beginWork, finishWork, leaseOf } from './exchange/record.ts'
import type { DryRequest } from './exchange/dry-run.ts'
import { authenticate, createFindClaimant, createGuesses, identify } from './exchange/identify.ts'
import { type Route, createRouter } from './exchange/routes.ts'
import { createUnderstanding } from './body/understand.ts'
import { Spool, type SpoolState } from './body/spool/spool.ts'
import { changeCall } from './rewrite/change-call.ts'
import { createRewriter } from './rewrite/index.ts'
import type { TranslationServices } from './contract/services.ts'
import type { EnvironmentProxies } from './upstream/environment-proxies.ts'
import { type CheckFacts, checkAccount } from './upstream/check-account.ts'
import { type ListedModels, listModels } from './upstream/list-models.ts'
import {
  type ClientGonePolicy,
  type Limits,
  type Timeouts,
  defaultLimits,
  defaultTimeouts,
} from './contract/limits.ts'

/** The parts of a gateway. */
interface GatewayOptions {
  /** In order of execution. */
  readonly plugins: readonly GatewayPlugin[]
  readonly snapshot: Snapshot
  /** The form of errors for callers without one of their own. Default: `spec`. */
  readonly errors?: ErrorForm
  readonly limits?: Partial<Limits>
  readonly timeouts?: Partial<Timeouts>
  /** Default: `abort`. */
  readonly clientGone?: ClientGonePolicy
  /** The directory of the spool. Default: the system's directory for temporary files. */
  readonly spool?: string | undefined
  /** Default: services that store signatures in memory only. */
  readonly translation?: TranslationServices
  readonly slots?: AccountSlots
  /** The proxies that environment variables name. */
  readonly proxies?: EnvironmentProxies | undefined
  /** Finds the client of a request. Default: the peer of its connection. */
  readonly clientOf?: ClientOf
  /** Has what becomes of the credentials of accounts. Default: it is not logged. */
  readonly log?: Pick<Log, 'info' | 'warn'>
  /** Observes all exchanges, for operators. */
  readonly monitor?: ExchangeMonitor
  /** Absent: exchanges are not traced, and not captured. */
  readonly tracer?: Tracer
  readonly captures?: Captures
  /** Called for defects that no client learns of, with the plugin, exchange and account concerned. */
  readonly onDefect?: (message: string, error: unknown, about?: About) => void
}

/** A gateway for the requests of a `node:http` server. */
export interface Gateway {
  /** For `node:http`. */
  readonly listener: RequestListener
  /** For the option `sockets` of `listen`. */
  readonly sockets: SocketDoor
  readonly routes: readonly Route[]
  readonly pluginNames: readonly string[]
  /** The number of exchanges whose reply is not complete. */
  inflight(): number
  /** Whether the process has received a request that needs a key. Probes need none. */
  hasServed(): boolean
  /** The size of all forms in the spool, in bytes. */
  spooled(): number
  /** The size of all uploads that are read into bodies, in bytes. */
  inlined(): number
  /** The memory for bodies and replies that exchanges hold, in bytes. */
  held(): number
  /** The state of the spool. */
  spool(): Promise<SpoolState>
  /** Adds `connection: close` to every reply from now on. */
  drain(): void
  /** Ends the running exchanges, each stream with an error in its dialect. */
  interrupt(): void
  /** Ends one exchange with an error in its dialect, or its connection if no attempt has begun. */
  cancel(exchange: Received): void
  /** Checks an account's credential by a free call in one of its dialects. Never rejects. */
  checkAccount(
    candidate: Pick<Candidate, 'account' | 'dialect'>,
    note?: (facts: CheckFacts) => void,
  ): Promise<AccountCheck>
  /** Lists the models of an account by a free call, see `listModels`. Never rejects. */
  listModels(account: Account): Promise<ListedModels | undefined>
  /**
   * Looks up what a key owns, without a client, in an exchange of this dialect id. Rejects as `work` does,
   * and with `GatewayError` if no plugin has the dialect.
   */
  lookUp<T>(
    about: { readonly keyId: string; readonly dialect: string },
    work: (exchange: Understood, accountClient: AccountClient) => Promise<T>,
  ): Promise<T>
  /** Says how a request would be served: sends and stores nothing. Rejects with the reason of `signal`. */
  explain(request: DryRequest): Promise<Explanation>
  /** Replaces the snapshot for new exchanges. Running exchanges keep theirs. */
  update(snapshot: Snapshot): void
  /** Closes connections to accounts and disposes of the plugins. */
  dispose(): Promise<void>
}

/**
 * Creates a gateway. An exchange passes eight stages: received, identified, understood, routed,
 * prepared, attempted, delivered, settled. This function connects them; each stage has its own file.
 * Throws `ConfigurationError` for malformed plugins.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { plugins, monitor, tracer, captures, errors = 'spec', clientOf = peerOf } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const limits = { ...defaultLimits, ...options.limits }
  const { onDefect: report = () => {} } = options
  const hooks = composeHooks(plugins, {
    outcomeMs: timeouts.outcomeMs,
    pluginMs: timeouts.pluginMs,
    onHookError: (plugin, hook, error, about) =>
      report(`${plugin.name}: ${hook} failed`, error, about),
  })
  const everyDialect = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const dialects = everyDialect.filter(hasClients)
  const spoken = everyDialect.filter(hasAccounts)
  const router = createRouter(dialects)
  const findClaimant = createFindClaimant(dialects, report)
  const environment = createEnvironment({ ...options, hooks, timeouts, limits })
  /** The account's slot belongs to the socket of such calls. */
  const ofSockets = { ...environment, slots: new FreeSlots() }
  const spool = new Spool({ spoolBytes: limits.spoolBytes, directory: options.spool })
  const source = { limits: { ...limits, ...timeouts }, ticker: environment.ticker, spool }
  const memory = new MemoryPool(limits)
  const guesses = createGuesses()
  const uploadMemory = new UploadMemoryPool(limits.inlineBytes)
  const rewrite =
    hooks.request &&
    createRewriter({ change: hooks.request, limits, policy: environment.translation.policy })
  const understand = createUnderstanding({
    source,
    bindFiles: createFileBinder(
      plugins.flatMap(({ accountFiles }) => accountFiles ?? []),
      limits,
    ),
    inlineFiles: createFileInliner({
      json: limits,
      files: plugins.find(({ files }) => files)?.files,
      limits: environment.translation.limits,
    }),
    checksEach: plugins.some(
      (plugin) => plugin.onRequest !== undefined || plugin.onEvents !== undefined,
    ),
    change: rewrite && ((call, operation) => changeCall(call, operation, rewrite)),
  })
  let { snapshot } = options
  let draining = false
  let inflight = 0
  let hasServed = false

  function update(next: Snapshot): void {
    snapshot = next
    environment.slots.countsAll = next.countsCalls === true
    environment.client.retain(next.accounts.flatMap(({ connection }) => connection ?? []))
  }
  update(snapshot)

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    fault: GatewayError | undefined,
  ): Promise<Reply> {
    const exchange = receive(
      request,
      response,
      clientOf(request),
      snapshot,
      errors,
      conclude,
      report,
    )
    exchange.progress.uploadBudget = uploadMemory
    exchange.progress.memoryBudget = memory
    exchange.progress.trace = tracer?.begin(exchange)
    if (captures) exchange.progress.capture = captures.begin(exchange)
    inflight++
    monitor?.begin(exchange)
    try {
      const next = () => answer(exchange, fault)
      return withIds(exchange, await hooks.exchange(exchange, next, fail))
    } catch (error) {
      return fail(exchange, error)
    } finally {
      // Also for a request from before the shutdown: its client must not send another one.
      if (draining && !response.headersSent) response.setHeader('connection', 'close')
      finishWork(exchange.progress)
    }
  }

  async function answer(exchange: Received, fault: GatewayError | undefined): Promise<Reply> {
    if (fault) return fail(exchange, fault)
    // A hook may answer without waiting for this.
    beginWork(exchange.progress)
    try {
      return deliver(exchange, await runStages(exchange))
    } catch (error) {
      return fail(exchange, error)
    } finally {
      finishWork(exchange.progress)
    }
  }

  async function runStages(received: Received): Promise<Reply> {
    const { identified, operation } = identify(received, router, findClaimant)
    if (operation.auth !== 'key' && 'serve' in operation) return serve(operation, identified)
    hasServed = true
    const authenticating = authenticate(identified, hooks.authenticate, guesses)
    const authenticated = isThenable(authenticating) ? await authenticating : authenticating
    // Counts the call, and refuses it if its key has too many.
    leaseOf(authenticated)
    const admitting = hooks.caller(authenticated)
    if (admitting) await admitting
    authenticated.progress.trace?.reached('authenticated')
    if ('serve' in operation) return serve(operation, authenticated)
    const understood = await understand(authenticated, operation)
    return understood.model.fallbacks
      ? serveWithFallbacks(understood, operation, limits.attempts, call)
      : call(understood, operation)
  }

  async function call(
    understood: Understood,
    operation: ForwardOperation | PerformOperation,
  ): Promise<Reply> {
    const admitting = hooks.understood(understood)
    if (admitting) await admitting
    understood.progress.trace?.reached('understood')
    return hooks.call(understood, () =>
      'perform' in operation
        ? performCall(understood, operation, environment)
        : attemptCall(understood, operation, operation.overSocket ? ofSockets : environment),
    )
  }

  async function serve(
    operation: ServeOperation,
    exchange: Identified | Authenticated,
  ): Promise<Reply> {
    if (operation.reads !== 'json') return operation.serve(exchange, emptyBody)
    return operation.serve(exchange, await readJson(exchange, source))
  }

  function fail(exchange: Received, error: unknown): Reply {
    return deliverError(exchange, error)
  }

  /** Runs after the last byte or after the client has left. The exchange ends when all its tasks have. */
  function conclude(exchange: Received, summary: Summary): void {
    const { progress } = exchange
    if (progress.pending === 0) end(exchange, summary)
    else progress.onIdle = () => end(exchange, summary)
  }

  function end(exchange: Received, summary: Summary): void {
    inflight--
    for (const disposable of exchange.progress.disposables) disposable[Symbol.dispose]()
    reportDefect(exchange, hooks, report)
    monitor?.end(exchange, summary)
    hooks.end(exchange, summary)
  }

  const failing = { report, errors }
  const listener = createListener(handle, plugins, failing)
  const sockets = createSocketDoor({
    router,
    listener,
    handle: (request, response) =>
      void handle(request, response, undefined).then((reply) =>
        writeOrReset(reply, response, failing),
      ),
    limits: source.limits,
    memory,
    report,
  })

  return {
    listener,
    sockets,
    routes: router.routes,
    pluginNames: plugins.map((plugin) => plugin.name),
    inflight: () => inflight,
    hasServed: () => hasServed,
    spooled: () => spool.bytes,
    inlined: () => uploadMemory.bytes,
    held: () => memory.bytes,
    spool: () => spool.state(),
    drain() {
      draining = true
      sockets.drain()
    },
    interrupt: () => void environment.ticker.interrupt(),
    cancel: (exchange) => cancelExchange(exchange, environment.ticker),
    explain: createDryRuns({
      environment,
      errors,
      snapshot: () => snapshot,
      identify: (exchange) => identify(exchange, router, findClaimant),
      understand,
      report,
    }),
    checkAccount: (candidate, note) => checkAccount(candidate, snapshot, environment, note),
    listModels: (account) => listModels(account, spoken, snapshot, environment),
    lookUp: (about, work) =>
      lookUpWithoutClient({ ...about, dialects }, snapshot, environment, work),
    update,
    async dispose() {
      // First the client: running exchanges end with it, and the hooks still see their end.
      await environment.client.close()
      environment.ticker.close()
      await hooks.dispose()
    },
  }
}
