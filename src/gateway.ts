import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type { Snapshot } from './contract/candidate.ts'
import { attemptCall } from './attempt/attempts.ts'
import { emptyBody } from './body/read-body.ts'
import type { RequestBody } from './contract/body.ts'
import { composeHooks } from './hooks/compose.ts'
import { checkReply } from './exchange/check-reply.ts'
import { deliver, deliverError } from './exchange/deliver.ts'
import { createListener } from './http/listener.ts'
import type { ServeOperation } from './contract/operation.ts'
import type { ErrorCode, GatewayError } from './contract/errors.ts'
import type { Call } from './contract/call.ts'
import type { Authenticated, Identified, Received, Understood } from './contract/exchange.ts'
import type { Reply, Summary } from './contract/outcome.ts'
import type { Caller } from './contract/request.ts'
import { type MaybePromise, isThenable } from './lib/maybe-promise.ts'
import { createHolding } from './file-references/index.ts'
import { UploadRoom } from './file-references/room.ts'
import { performCall } from './attempt/perform.ts'
import type { GatewayPlugin } from './contract/plugin.ts'
import { type About, aboutOf } from './hooks/plugin-failures.ts'
import { readJson, readRequest } from './body/read-request.ts'
import { receive } from './exchange/receive.ts'
import { resolveModel } from './kit/models.ts'
import { type Route, claimant, createRouter, notHere, unauthenticated } from './exchange/routes.ts'
import { spoolFault } from './body/spool/fault.ts'
import { Spool } from './body/spool/spool.ts'
import {
  enterAuthenticated,
  enterCall,
  enterDialect,
  enterIdentified,
  enterUnderstood,
  release,
} from './exchange/record.ts'
import { summarise } from './exchange/summary.ts'
import { createTicker } from './lib/ticker.ts'
import type { TranslationServices } from './contract/services.ts'
import { createTranslationServices } from './translate/services.ts'
import { createUpstreamClient } from './upstream/client.ts'
import {
  type ClientGonePolicy,
  type Limits,
  type Timeouts,
  defaultLimits,
  defaultTimeouts,
} from './contract/limits.ts'
import type { Environment } from './upstream/environment.ts'

export interface GatewayOptions {
  /** Top to bottom is the order of execution. */
  readonly plugins: readonly GatewayPlugin[]
  readonly snapshot: Snapshot
  /** `upstream` hands an upstream's own error bodies on untouched. */
  readonly errors?: 'spec' | 'upstream'
  readonly limits?: Partial<Limits>
  readonly timeouts?: Partial<Timeouts>
  readonly clientGone?: ClientGonePolicy
  /** The directory of large uploads. The system's for temporary files where absent. */
  readonly spool?: string | undefined
  /** Absent: nothing is kept for translation beyond the process. */
  readonly translation?: TranslationServices
  /** Told of defects that no client is told of: what failed, and on which exchange. */
  readonly onDefect?: (message: string, error: unknown, about?: About) => void
}

export interface Gateway {
  /** For `node:http`. */
  readonly listener: RequestListener
  readonly routes: readonly Route[]
  readonly pluginNames: readonly string[]
  /** Exchanges whose last byte has not left yet. */
  inflight(): number
  /** What uploads take on disk now, in bytes. */
  spooled(): number
  /** What uploads have that were read into bodies, in bytes. */
  inlined(): number
  /** What uploads take on disk, and whether there is a place for more. */
  spool(): Promise<SpoolState>
  /** From now on every answer asks its client to close the connection. */
  drain(): void
  /** Ends what is still under way, each stream in its own dialect. */
  interrupt(): void
  /** Exchanges that begin from now on see these accounts; those under way keep theirs. */
  update(snapshot: Snapshot): void
  dispose(): Promise<void>
}

export interface SpoolState {
  readonly bytes: number
  /** Whether its directory takes files. */
  readonly usable: boolean
}

/**
 * An exchange is received, identified, understood, routed, prepared, attempted, delivered, settled.
 * This is that story; each step has a file of its own.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { plugins, errors = 'spec' } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const limits = { ...defaultLimits, ...options.limits }
  const report = options.onDefect ?? (() => {})
  const hooks = composeHooks(plugins, {
    outcomeMs: timeouts.outcomeMs,
    onHookError: (plugin, hook, error, about) =>
      report(`${plugin.name}: ${hook} failed`, error, about),
  })
  const dialects = plugins.flatMap((plugin) => plugin.dialects ?? [])
  const router = createRouter(dialects)
  const environment: Environment = {
    client: createUpstreamClient(timeouts),
    ticker: createTicker(),
    hooks,
    timeouts,
    limits,
    clientGone: options.clientGone ?? 'abort',
    translation: options.translation ?? createTranslationServices({}),
  }
  const spool = new Spool({ spoolBytes: limits.spoolBytes, directory: options.spool })
  const source = { limits: { ...limits, ...timeouts }, ticker: environment.ticker, spool }
  const room = new UploadRoom(limits.inlineBytes)
  const holdFiles = createHolding({
    files: plugins.find(({ files }) => files)?.files,
    limits: environment.translation.limits,
  })
  let { snapshot } = options
  let draining = false
  let inflight = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    if (draining) response.setHeader('connection', 'close')
    const exchange = receive(request, response, snapshot, conclude, report)
    exchange.progress.room = room
    inflight++
    try {
      return named(exchange, await hooks.exchange(exchange, () => answer(exchange)))
    } catch (error) {
      return fail(exchange, error)
    } finally {
      release(exchange.progress)
    }
  }

  async function answer(exchange: Received): Promise<Reply> {
    try {
      return deliver(exchange, await converse(exchange))
    } catch (error) {
      return fail(exchange, error)
    }
  }

  async function converse(received: Received): Promise<Reply> {
    const identified = identify(received)
    const { operation } = identified
    if (operation.auth !== 'key' && 'serve' in operation) return serve(operation, identified)
    const known = authenticate(identified)
    const authenticated = isThenable(known) ? await known : known
    if ('serve' in operation) return serve(operation, authenticated)
    const body = await readRequest(authenticated, source)
    const understanding = understand(authenticated, body)
    const meant = isThenable(understanding) ? await understanding : understanding
    // Nothing is read for a model that nobody serves, or that this key may not use.
    const held = holdFiles(meant, body)
    const understood = isThenable(held) ? await understand(meant, await held) : meant
    return hooks.call(understood, () =>
      'perform' in operation
        ? performCall(understood, operation, environment)
        : attemptCall(understood, operation, environment),
    )
  }

  async function serve(
    operation: ServeOperation,
    exchange: Identified | Authenticated,
  ): Promise<Reply> {
    if (operation.reads !== 'json') return operation.serve(exchange, emptyBody)
    return operation.serve(exchange, await readJson(exchange, source))
  }

  function identify(exchange: Received): Identified {
    const { method, path } = exchange.request
    const match = router.match(method === 'HEAD' ? 'GET' : method, path)
    const place = 'allowed' in match ? match.at : match.route
    if (!place) throw nowhere(exchange)
    const dialect =
      (place.operation.shared && claimant(dialects, exchange.request)) || place.dialect
    if ('allowed' in match) {
      enterDialect(exchange, dialect)
      throw notHere(match, method)
    }
    return enterIdentified(exchange, dialect, place.operation, match.params)
  }

  /** Who speaks there is told by the path alone: other clients' headers mean nothing at such a place. */
  function nowhere(exchange: Received): GatewayError {
    const dialect = claimant(dialects, { ...exchange.request, headers: {} })
    if (dialect) enterDialect(exchange, dialect)
    return notHere({ allowed: [] })
  }

  function authenticate(exchange: Identified): MaybePromise<Authenticated> {
    const credential = exchange.dialect.credential(exchange.request)
    const enter = (caller: Caller | undefined) => {
      if (!caller) throw unauthenticated(exchange, credential)
      return enterAuthenticated(exchange, caller, credential)
    }
    const caller = hooks.authenticate(exchange, credential)
    return isThenable(caller) ? caller.then(enter) : enter(caller)
  }

  function understand(exchange: Authenticated, body: RequestBody): MaybePromise<Understood> {
    const { operation } = exchange
    if ('serve' in operation)
      throw new Error(`Operation "${operation.id}" has nothing to understand.`)
    const enter = (call: Call) => {
      enterCall(exchange, call)
      return enterUnderstood(exchange, body, call, resolveModel(exchange, call))
    }
    const call = operation.understand(exchange, body)
    return isThenable(call) ? call.then(enter) : enter(call)
  }

  function fail(exchange: Received, error: unknown): Reply {
    return deliverError(exchange, error, errors)
  }

  /** The client has its last byte, or has left: the end comes when the work has ended too. */
  function conclude(exchange: Received, response: ServerResponse): void {
    const { progress, receivedAt } = exchange
    const summary = summarise(progress, response, performance.now() - receivedAt)
    if (progress.pending === 0) end(exchange, summary)
    else progress.onIdle = () => end(exchange, summary)
  }

  function end(exchange: Received, summary: Summary): void {
    inflight--
    const { error, held } = exchange.progress
    for (const disposable of held) disposable[Symbol.dispose]()
    if (error && defects.has(error.code) && !hooks.hasTold(exchange, error.cause)) {
      report('an exchange failed', error.cause ?? error, aboutOf(exchange))
    }
    hooks.end(exchange, summary)
  }

  return {
    listener: createListener(handle, plugins, report),
    routes: router.routes,
    pluginNames: plugins.map((plugin) => plugin.name),
    inflight: () => inflight,
    spooled: () => spool.bytes,
    inlined: () => room.bytes,
    spool: async () => ({
      bytes: spool.bytes,
      usable: (await spoolFault(spool.directory)) === undefined,
    }),
    drain: () => void (draining = true),
    interrupt: () => environment.ticker.interrupt(),
    update: (next) => void (snapshot = next),
    async dispose() {
      // What still runs ends with the client, and is logged before the hooks are gone.
      await environment.client.close()
      environment.ticker.close()
      await hooks.dispose()
    },
  }
}

/** What operators have to see to, of which clients are told no cause. */
const defects: ReadonlySet<ErrorCode> = new Set(['internal_error', 'spool_unavailable'])

/** Whoever answered, every answer has the name under which it can be asked about. */
function named(exchange: Received, given: Reply): Reply {
  const reply = checkReply(given)
  if (reply.headers['x-request-id'] === exchange.id) return reply
  return { ...reply, headers: { ...reply.headers, 'x-request-id': exchange.id } }
}
