import type {
  Caller,
  Identified,
  Received,
  Reply,
  Routed,
  Summary,
  Understood,
} from './exchange.ts'
import type { Candidate } from './accounts/account.ts'
import { assertPlugins } from './configuration/check-plugins.ts'
import { GatewayError } from './errors.ts'
import type { EventMapper } from './generate/mapper.ts'
import { askJudges, type Judgement } from './judgement.ts'
import { isThenable, type MaybePromise } from './maybe-promise.ts'
import { namedMapper } from './named-mapper.ts'
import type { GatewayPlugin, Outbound, OutcomeInput, ProducedInput } from './plugin.ts'

/** The hooks of all plugins as one. A hook that no plugin has costs nothing but a comparison. */
export interface Hooks {
  exchange(exchange: Received, next: () => Promise<Reply>): Promise<Reply>
  /** A promise only where a plugin answers with one: most know their callers at once. */
  authenticate(
    exchange: Identified,
    credential: string | undefined,
  ): MaybePromise<Caller | undefined>
  call(exchange: Understood, next: () => Promise<Reply>): Promise<Reply>
  /** What every plugin says of the candidates. */
  judge(exchange: Understood, candidates: readonly Candidate[]): MaybePromise<Judgement>
  /** What is to change in the events of a reply: nothing, nearly always. */
  events(exchange: Routed): readonly EventMapper[]
  /** Absent where no plugin stands around attempts. */
  readonly attempt: AroundAttempt | undefined
  /** Absent where nobody listens. Resolves when the critical plugins are done, or out of time. */
  readonly outcome: ((input: OutcomeInput) => Promise<void> | undefined) | undefined
  /** Absent where nobody listens. Resolves when the critical plugins are done, or out of time. */
  readonly produced: ((input: ProducedInput) => Promise<void> | undefined) | undefined
  end(exchange: Received, summary: Summary): void
  dispose(): Promise<void>
}

export type AroundAttempt = (
  exchange: Routed,
  outbound: Outbound,
  next: (outbound: Outbound) => Promise<Reply>,
) => Promise<Reply>

export interface HookOptions {
  /** How long critical outcome hooks may take, in milliseconds. */
  readonly outcomeMs: number
  /** A hook that must not break anything threw. */
  onHookError(plugin: GatewayPlugin, hook: string, error: unknown, about?: About): void
}

/** For the log: which plugin failed, and on what. */
export interface About {
  readonly plugin: string
  readonly request_id: string
  readonly account: string | undefined
}

export function composeHooks(plugins: readonly GatewayPlugin[], options: HookOptions): Hooks {
  assertPlugins(plugins)
  const around = {
    exchange: plugins.filter(has('onExchange')),
    call: plugins.filter(has('onCall')),
    attempt: plugins.filter(has('onAttempt')),
  }
  const authenticators = plugins.filter(has('onAuthenticate'))
  const judges = plugins.filter(has('onCandidates'))
  const listeners = plugins.filter(has('onOutcome'))
  const registrars = plugins.filter(has('onProduced'))
  const endings = plugins.filter(has('onEnd'))
  const editors = plugins.filter(has('onEvents'))

  return {
    exchange: (exchange, next) =>
      onion(around.exchange, next, (plugin, inner) => plugin.onExchange({ exchange, next: inner })),
    call: (exchange, next) =>
      onion(around.call, next, (plugin, inner) => plugin.onCall({ exchange, next: inner })),
    events: (exchange) =>
      editors.length === 0
        ? none
        : editors.flatMap((plugin) => mapperOf(plugin, exchange, options)),
    attempt:
      around.attempt.length === 0
        ? undefined
        : (exchange, outbound, next) => attemptOnion(around.attempt, exchange, outbound, next),
    authenticate: (exchange, credential) => firstCaller(authenticators, { exchange, credential }),
    judge: (exchange, candidates) => askJudges(judges, { exchange, candidates }),
    outcome:
      listeners.length === 0
        ? undefined
        : (input) =>
            tell(listeners, 'onOutcome', input, (plugin) => plugin.onOutcome(input), options),
    produced:
      registrars.length === 0
        ? undefined
        : (input) =>
            tell(registrars, 'onProduced', input, (plugin) => plugin.onProduced(input), options),
    end(exchange, summary) {
      for (const plugin of endings) {
        const failed = (error: unknown) =>
          options.onHookError(plugin, 'onEnd', error, aboutOf(plugin, exchange))
        try {
          const done: unknown = plugin.onEnd({ exchange, summary })
          if (isThenable(done)) void Promise.resolve(done).catch(failed)
        } catch (error) {
          failed(error)
        }
      }
    },
    async dispose() {
      for (const plugin of plugins.toReversed()) {
        try {
          await plugin.onDispose?.()
        } catch (error) {
          options.onHookError(plugin, 'onDispose', error)
        }
      }
    },
  }
}

const none: readonly EventMapper[] = []

type Editor = GatewayPlugin & Required<Pick<GatewayPlugin, 'onEvents'>>

/** The one mapper of a plugin, or none. Where it fails operators read why, and the client that. */
function mapperOf(
  plugin: Editor,
  exchange: Routed,
  { onHookError }: HookOptions,
): readonly EventMapper[] {
  const failed = (error: unknown) => {
    onHookError(plugin, 'onEvents', error, aboutOf(plugin, exchange, exchange.candidate))
    const message = 'A plugin of the gateway failed on this reply.'
    return new GatewayError('plugin_failed', message, { cause: error })
  }
  try {
    const mapper = plugin.onEvents({ exchange })
    return mapper ? [namedMapper(mapper, failed)] : none
  } catch (error) {
    throw GatewayError.isInstance(error) ? error : failed(error)
  }
}

function aboutOf(plugin: GatewayPlugin, { id, progress }: Received, candidate?: Candidate): About {
  const account = candidate ? candidate.account : progress.account
  return { plugin: plugin.name, request_id: id, account: account?.id }
}

function has<K extends keyof GatewayPlugin>(hook: K) {
  return (plugin: GatewayPlugin): plugin is GatewayPlugin & Required<Pick<GatewayPlugin, K>> =>
    plugin[hook] !== undefined
}

/** Nests the hooks around `last`; a second call of the same `next` is a defect of the plugin. */
function onion<P extends GatewayPlugin, R>(
  plugins: readonly P[],
  last: () => Promise<R>,
  call: (plugin: P, next: () => Promise<R>) => R | Promise<R>,
  index = 0,
): Promise<R> {
  const plugin = plugins[index]
  if (!plugin) return last()
  let called = false
  const next = () => {
    if (called) throw new Error(`Plugin "${plugin.name}" called next() twice.`)
    called = true
    return onion(plugins, last, call, index + 1)
  }
  return callSafely(() => call(plugin, next))
}

/** Unlike the others, an attempt may be made again by its hook. */
function attemptOnion(
  plugins: readonly (GatewayPlugin & Required<Pick<GatewayPlugin, 'onAttempt'>>)[],
  exchange: Routed,
  outbound: Outbound,
  last: (outbound: Outbound) => Promise<Reply>,
  index = 0,
): Promise<Reply> {
  const plugin = plugins[index]
  if (!plugin) return last(outbound)
  const next = (changed = outbound) => attemptOnion(plugins, exchange, changed, last, index + 1)
  return callSafely(() => plugin.onAttempt({ exchange, outbound, next }))
}

/** A synchronous throw becomes a rejection, so that one `catch` at the edge sees both. */
function callSafely<R>(call: () => R | Promise<R>): Promise<R> {
  try {
    return Promise.resolve(call())
  } catch (error) {
    // oxlint-disable-next-line prefer-promise-reject-errors -- it is handed on as it was thrown
    return Promise.reject(error)
  }
}

type Authenticator = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAuthenticate'>>

/** The first plugin that knows the caller decides. */
function firstCaller(
  plugins: readonly Authenticator[],
  input: Parameters<Authenticator['onAuthenticate']>[0],
  from = 0,
): MaybePromise<Caller | undefined> {
  for (let index = from; index < plugins.length; index++) {
    const caller = plugins[index]?.onAuthenticate(input)
    if (isThenable(caller)) {
      return caller.then((known) => known ?? firstCaller(plugins, input, index + 1))
    }
    if (caller) return caller
  }
  return undefined
}

/** Nothing to wait for where no critical plugin has begun anything. */
function tell<P extends GatewayPlugin>(
  plugins: readonly P[],
  hook: string,
  { exchange, candidate }: Pick<ProducedInput, 'exchange' | 'candidate'>,
  call: (plugin: P) => MaybePromise<void>,
  { outcomeMs, onHookError }: HookOptions,
): Promise<void> | undefined {
  const awaited: Promise<void>[] = []
  for (const plugin of plugins) {
    const failed = (error: unknown) =>
      onHookError(plugin, hook, error, aboutOf(plugin, exchange, candidate))
    try {
      const done = call(plugin)
      if (!isThenable(done)) continue
      const settled = Promise.resolve(done).catch(failed)
      if (plugin.critical) awaited.push(settled)
    } catch (error) {
      failed(error)
    }
  }
  if (awaited.length === 0) return undefined
  return within(outcomeMs, awaited.length === 1 ? awaited[0]! : Promise.all(awaited))
}

/** Resolves with the work, or after so many milliseconds without it. */
function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    void work.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
