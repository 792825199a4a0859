import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type { Snapshot } from './contract/candidate.ts'
import { attemptCall } from './attempt/attempt.ts'
import { emptyBody } from './body/read-body.ts'
import { composeHooks } from './hooks/compose.ts'
import { checkReply } from './exchange/check-reply.ts'
import { deliver, deliverError } from './exchange/deliver.ts'
import { createListener } from './http/listener.ts'
import type { ServeOperation } from './contract/operation.ts'
import type { ErrorCode } from './contract/errors.ts'
import type { Authenticated, Identified, Received } from './contract/exchange.ts'
import type { Reply, Summary } from './contract/outcome.ts'
import { isThenable } from './lib/maybe-promise.ts'
import { createFileInliner } from './file-references/index.ts'
import { UploadMemoryPool } from './file-references/upload-memory.ts'
import { performCall } from './attempt/perform.ts'
import type { GatewayPlugin } from './contract/plugin.ts'
import { type About, aboutOf } from './hooks/plugin-failures.ts'
import { readJson, readRequest } from './body/read-request.ts'
import { receive } from './exchange/receive.ts'
import { authenticate, identify } from './exchange/identify.ts'
import { type Route, createRouter } from './exchange/routes.ts'
import { understand } from './exchange/understand.ts'
import { spoolFault } from './body/spool/fault.ts'
import { Spool } from './body/spool/spool.ts'
import { finishWork } from './exchange/record.ts'
import { summarize } from './exchange/summary.ts'
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
import type { AttemptEnvironment } from './upstream/environment.ts'

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
  const environment: AttemptEnvironment = {
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
  const room = new UploadMemoryPool(limits.inlineBytes)
  const holdFiles = createFileInliner({
    files: plugins.find(({ files }) => files)?.files,
    limits: environment.translation.limits,
  })
  let { snapshot } = options
  let draining = false
  let inflight = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    if (draining) response.setHeader('connection', 'close')
    const exchange = receive(request, response, snapshot, conclude, report)
    exchange.progress.memory = room
    inflight++
    try {
      return named(exchange, await hooks.exchange(exchange, () => answer(exchange)))
    } catch (error) {
      return fail(exchange, error)
    } finally {
      finishWork(exchange.progress)
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
    const { identified, operation } = identify(received, router, dialects)
    if (operation.auth !== 'key' && 'serve' in operation) return serve(operation, identified)
    const known = authenticate(identified, hooks.authenticate)
    const authenticated = isThenable(known) ? await known : known
    if ('serve' in operation) return serve(operation, authenticated)
    const body = await readRequest(authenticated, source)
    const understanding = understand(authenticated, operation, body)
    const checked = isThenable(understanding) ? await understanding : understanding
    // Files are read only for a model that is served and that this key may use.
    const inlined = holdFiles(checked, body)
    const understood = isThenable(inlined)
      ? await understand(checked, operation, await inlined)
      : checked
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

  function fail(exchange: Received, error: unknown): Reply {
    return deliverError(exchange, error, errors)
  }

  /** The client has its last byte, or has left: the end comes when the work has ended too. */
  function conclude(exchange: Received, response: ServerResponse): void {
    const { progress, receivedAt } = exchange
    const summary = summarize(progress, response, performance.now() - receivedAt)
    if (progress.pending === 0) end(exchange, summary)
    else progress.onIdle = () => end(exchange, summary)
  }

  function end(exchange: Received, summary: Summary): void {
    inflight--
    const { error, disposables } = exchange.progress
    for (const disposable of disposables) disposable[Symbol.dispose]()
    if (error && defects.has(error.code) && !hooks.hasReported(exchange, error.cause)) {
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
