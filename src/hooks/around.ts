import { checkReply } from '../exchange/check-reply.ts'
import type { Received, Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Outbound } from '../contract/attempt.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { PluginFailures } from './plugin-failures.ts'

/** The work that hooks wrap. */
interface Core {
  readonly failures: PluginFailures
  readonly exchange: Received
  /** The name of the hook, for reports. */
  readonly hook: string
  /** The work inside the innermost hook. */
  readonly next: () => Promise<Reply>
}

/** Nests the plugins' hooks around their core. `next` throws if a plugin calls it twice. */
export function onion<P extends GatewayPlugin>(
  plugins: readonly P[],
  core: Core,
  call: (plugin: P, next: () => Promise<Reply>) => MaybePromise<Reply>,
  index = 0,
): Promise<Reply> {
  const { failures, exchange, hook, next: last } = core
  const plugin = plugins[index]
  if (!plugin) return index === 0 ? last() : failures.innermost(exchange, last)
  let called = false
  const next = () => {
    if (called) throw new Error(`Plugin "${plugin.name}" called next() twice.`)
    called = true
    return onion(plugins, core, call, index + 1)
  }
  const place = { plugin, hook, exchange }
  return callSafely(() => failures.guard(place, () => call(plugin, next), checkReply))
}

/** The work inside the innermost `onAttempt`. */
interface AttemptEnd {
  readonly failures: PluginFailures
  readonly last: (outbound: Outbound) => Promise<Reply>
}

/** Nests the `onAttempt` hooks. Unlike other hooks they may call `next` again, to repeat the request. */
export function attemptOnion(
  plugins: readonly (GatewayPlugin & Required<Pick<GatewayPlugin, 'onAttempt'>>)[],
  exchange: Routed,
  outbound: Outbound,
  end: AttemptEnd,
  index = 0,
): Promise<Reply> {
  const plugin = plugins[index]
  if (!plugin) return end.failures.innermost(exchange, () => end.last(outbound))
  const next = (changed = outbound) => attemptOnion(plugins, exchange, changed, end, index + 1)
  return callSafely(() =>
    end.failures.guard(
      { plugin, hook: 'onAttempt', exchange },
      () => plugin.onAttempt({ exchange, outbound, next }),
      checkReply,
    ),
  )
}

/** Turns a synchronous throw into a rejection. */
function callSafely<R>(call: () => MaybePromise<R>): Promise<R> {
  try {
    return Promise.resolve(call())
  } catch (error) {
    // oxlint-disable-next-line prefer-promise-reject-errors -- it is passed on as it was thrown
    return Promise.reject(error)
  }
}
