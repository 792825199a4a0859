import { checkReply } from '../exchange/check-reply.ts'
import type { Received, Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Outbound } from '../contract/attempt.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { PluginFailures } from './plugin-failures.ts'

export interface Core {
  readonly failures: PluginFailures
  readonly exchange: Received
  readonly hook: string
  /** What the hooks stand around. */
  readonly next: () => Promise<Reply>
}

/** Nests the hooks around their core; a second call of the same `next` is a defect of the plugin. */
export function onion<P extends GatewayPlugin>(
  plugins: readonly P[],
  core: Core,
  call: (plugin: P, next: () => Promise<Reply>) => MaybePromise<Reply>,
  index = 0,
): Promise<Reply> {
  const { failures, exchange, hook, next: last } = core
  const plugin = plugins[index]
  if (!plugin) return index === 0 ? last() : failures.behind(exchange, last)
  let called = false
  const next = () => {
    if (called) throw new Error(`Plugin "${plugin.name}" called next() twice.`)
    called = true
    return onion(plugins, core, call, index + 1)
  }
  const place = { plugin, hook, exchange }
  return callSafely(() => failures.guard(place, () => call(plugin, next), checkReply))
}

export interface AttemptEnd {
  readonly failures: PluginFailures
  readonly last: (outbound: Outbound) => Promise<Reply>
}

/** Unlike the others, an attempt may be made again by its hook. */
export function attemptOnion(
  plugins: readonly (GatewayPlugin & Required<Pick<GatewayPlugin, 'onAttempt'>>)[],
  exchange: Routed,
  outbound: Outbound,
  end: AttemptEnd,
  index = 0,
): Promise<Reply> {
  const plugin = plugins[index]
  if (!plugin) return end.failures.behind(exchange, () => end.last(outbound))
  const next = (changed = outbound) => attemptOnion(plugins, exchange, changed, end, index + 1)
  return callSafely(() =>
    end.failures.guard(
      { plugin, hook: 'onAttempt', exchange },
      () => plugin.onAttempt({ exchange, outbound, next }),
      checkReply,
    ),
  )
}

/** A synchronous throw becomes a rejection, so that one `catch` at the edge sees both. */
function callSafely<R>(call: () => MaybePromise<R>): Promise<R> {
  try {
    return Promise.resolve(call())
  } catch (error) {
    // oxlint-disable-next-line prefer-promise-reject-errors -- it is handed on as it was thrown
    return Promise.reject(error)
  }
}
