import type { Outbound } from '../contract/outbound.ts'
import type { Candidate } from '../contract/candidate.ts'
import type {
  Authenticated,
  Identified,
  Received,
  Routed,
  Understood,
} from '../contract/exchange.ts'
import type { Reply, Summary } from '../contract/outcome.ts'
import type {
  GatewayPlugin,
  OutcomeInput,
  ProducedInput,
  RefusalInput,
} from '../contract/plugin.ts'
import type { RefusalSubject } from '../contract/refusal.ts'
import type { Caller, RefusedKey } from '../contract/request.ts'
import type { EventMapper } from '../generate/mapper.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import {
  type AroundInput,
  type Verdicts,
  admitCall,
  admitCaller,
  attemptOnion,
  collectVerdicts,
  firstCaller,
  firstSubject,
  notify,
  onion,
} from './run-hooks.ts'
import { assertPlugins } from './check-plugins.ts'
import { disposePlugins } from './lifecycle.ts'
import { mapperOf } from './event-mappers.ts'
import { type Hook, type HookOptions, PluginFailures, aboutOf } from './plugin-failures.ts'
import { type ChangeRequest, createChangeRequest } from './request.ts'

/** The hooks of all plugins, composed. A hook that no plugin has costs a comparison. */
export interface Hooks {
  /** `toReply` turns an error that a plugin throws into a reply, for the plugins around it. */
  exchange(
    exchange: Received,
    next: () => Promise<Reply>,
    toReply: (exchange: Received, error: unknown) => Reply,
  ): Promise<Reply>
  /** Returns a promise only if a plugin returns one. */
  authenticate(
    exchange: Identified,
    credential: string | undefined,
  ): MaybePromise<Caller | RefusedKey | undefined>
  /** Throws, or rejects with, a plugin's error that refuses the caller. Returns a promise only if a plugin does. */
  caller(exchange: Authenticated): MaybePromise<void>
  /** As `caller`, for a call, and adds the headers that plugins return to its reply. */
  understood(exchange: Understood): MaybePromise<void>
  /** Absent if no plugin has `onRequest`. */
  readonly request: ChangeRequest | undefined
  call(exchange: Understood, next: () => Promise<Reply>): Promise<Reply>
  /** Collects the verdicts of all plugins. */
  verdicts(exchange: Understood, candidates: readonly Candidate[]): MaybePromise<Verdicts>
  /** The mappers of a reply's events; usually none. */
  events(exchange: Routed): readonly EventMapper[]
  /** Absent if no plugin has `onAttempt`. */
  readonly attempt: AroundAttempt | undefined
  /** Absent if no plugin has `onRefusal`. Never rejects. */
  readonly refusal: ((input: RefusalInput) => Promise<RefusalSubject | undefined>) | undefined
  /** Absent if no plugin has `onOutcome`. Resolves as `notify` does. */
  readonly outcome: ((input: OutcomeInput) => Promise<void> | undefined) | undefined
  /** Absent if no plugin has `onProduced`. Resolves as `notify` does. */
  readonly produced: ((input: ProducedInput) => Promise<void> | undefined) | undefined
  /** Whether an error has been reported as a plugin's. */
  hasReported(exchange: Received, error: unknown): boolean
  end(exchange: Received, summary: Summary): void
  dispose(): Promise<void>
}

/** The composed `onAttempt` hooks. */
type AroundAttempt = (
  exchange: Routed,
  outbound: Outbound,
  next: (outbound: Outbound) => Promise<Reply>,
) => Promise<Reply>

/** Composes the hooks of plugins. Throws `ConfigurationError` for malformed plugins. */
export function composeHooks(plugins: readonly GatewayPlugin[], options: HookOptions): Hooks {
  assertPlugins(plugins)
  const failures = new PluginFailures(options.onHookError)
  const aroundExchange = { plugins: plugins.filter(has('onExchange')), hook: onExchange, failures }
  const aroundCall = { plugins: plugins.filter(has('onCall')), hook: onCall, failures }
  const attempters = plugins.filter(has('onAttempt'))
  const authenticators = plugins.filter(has('onAuthenticate'))
  const gatekeepers = plugins.filter(has('onCaller'))
  const callGatekeepers = plugins.filter(has('onUnderstood'))
  const judges = plugins.filter(has('onCandidates'))
  const refusalJudges = plugins.filter(has('onRefusal'))
  const listeners = plugins.filter(has('onOutcome'))
  const registrars = plugins.filter(has('onProduced'))
  const endings = plugins.filter(has('onEnd'))
  const editors = plugins.filter(has('onEvents'))
  const changers = plugins.filter(has('onRequest'))

  const endFailed = (plugin: GatewayPlugin, exchange: Received, error: unknown) =>
    options.onHookError(plugin, 'onEnd', error, aboutOf(exchange, plugin))

  return {
    exchange: (exchange, next, toReply) => onion({ ...aroundExchange, toReply }, exchange, next),
    request: changers.length === 0 ? undefined : createChangeRequest(changers, failures, options),
    call: (exchange, next) => onion(aroundCall, exchange, next),
    events: (exchange) =>
      editors.length === 0
        ? none
        : editors.flatMap((plugin) => mapperOf(plugin, exchange, options)),
    attempt:
      attempters.length === 0
        ? undefined
        : (exchange, outbound, next) =>
            attemptOnion(attempters, exchange, outbound, { failures, last: next }),
    authenticate: (exchange, credential) =>
      firstCaller(authenticators, { exchange, credential }, failures),
    caller: (exchange) => admitCaller(gatekeepers, exchange, failures),
    understood: (exchange) => admitCall(callGatekeepers, exchange, failures),
    verdicts: (exchange, candidates) => collectVerdicts(judges, { exchange, candidates }, failures),
    refusal:
      refusalJudges.length === 0
        ? undefined
        : (input) => firstSubject(refusalJudges, input, options),
    outcome:
      listeners.length === 0
        ? undefined
        : (input) =>
            notify(listeners, 'onOutcome', input, (plugin) => plugin.onOutcome(input), options),
    produced:
      registrars.length === 0
        ? undefined
        : (input) =>
            notify(registrars, 'onProduced', input, (plugin) => plugin.onProduced(input), options),
    hasReported: (exchange, error) => failures.hasReported(exchange, error),
    end(exchange, summary) {
      const ended = { exchange, summary }
      for (const plugin of endings) {
        try {
          const done: unknown = plugin.onEnd(ended)
          if (!isThenable(done)) continue
          const failed = (error: unknown) => endFailed(plugin, exchange, error)
          void Promise.resolve(done).catch(failed)
        } catch (error) {
          endFailed(plugin, exchange, error)
        }
      }
    },
    dispose: () =>
      disposePlugins(plugins, (plugin, error) => options.onHookError(plugin, 'onDispose', error)),
  }
}

const onExchange: Hook<
  GatewayPlugin & Required<Pick<GatewayPlugin, 'onExchange'>>,
  AroundInput<Received>,
  Reply
> = { name: 'onExchange', call: (plugin, input) => plugin.onExchange(input) }

const onCall: Hook<
  GatewayPlugin & Required<Pick<GatewayPlugin, 'onCall'>>,
  AroundInput<Understood>,
  Reply
> = { name: 'onCall', call: (plugin, input) => plugin.onCall(input) }

const none: readonly EventMapper[] = []

function has<K extends keyof GatewayPlugin>(hook: K) {
  return (plugin: GatewayPlugin): plugin is GatewayPlugin & Required<Pick<GatewayPlugin, K>> =>
    plugin[hook] !== undefined
}
