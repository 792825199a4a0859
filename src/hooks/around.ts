import type { Outbound } from '../contract/attempt.ts'
import type { Received, Routed } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Hook, PluginFailures } from './plugin-failures.ts'

/** The input of a hook around the work on an exchange. */
export interface AroundInput<E extends Received> {
  readonly exchange: E
  readonly next: () => Promise<Reply>
}

/** The hooks of all plugins around the same work. */
interface Around<P extends GatewayPlugin, E extends Received> {
  readonly plugins: readonly P[]
  readonly hook: Hook<P, AroundInput<E>, Reply>
  readonly failures: PluginFailures
  /** Turns an error that a plugin throws into a reply, for the plugins around it. Absent: they get the error. */
  readonly toReply?: (exchange: E, error: unknown) => Reply
}

/** Nests the plugins' hooks around their core, `last`. `next` throws if a plugin calls it twice. */
export function onion<P extends GatewayPlugin, E extends Received>(
  around: Around<P, E>,
  exchange: E,
  last: () => Promise<Reply>,
  index = 0,
): Promise<Reply> {
  const { plugins, hook, failures, toReply } = around
  const plugin = plugins[index]
  if (!plugin) return index === 0 ? last() : failures.innermost(exchange, last)
  let called = false
  const next = () => {
    if (called) throw new Error(`Plugin "${plugin.name}" called next() twice.`)
    called = true
    const inner = onion(around, exchange, last, index + 1)
    return toReply ? inner.catch((error: unknown) => toReply(exchange, error)) : inner
  }
  return failures.guardReply(hook, plugin, { exchange, next })
}

type Attempter = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAttempt'>>
type AttemptInput = Parameters<Attempter['onAttempt']>[0]

const onAttempt: Hook<Attempter, AttemptInput, Reply> = {
  name: 'onAttempt',
  call: (plugin, input) => plugin.onAttempt(input),
}

/** The work inside the innermost `onAttempt`. */
interface AttemptEnd {
  readonly failures: PluginFailures
  readonly last: (outbound: Outbound) => Promise<Reply>
}

/** Nests the `onAttempt` hooks. Unlike other hooks they may call `next` again, to repeat the request. */
export function attemptOnion(
  plugins: readonly Attempter[],
  exchange: Routed,
  outbound: Outbound,
  end: AttemptEnd,
  index = 0,
): Promise<Reply> {
  const plugin = plugins[index]
  if (!plugin) return end.failures.innermost(exchange, () => end.last(outbound))
  const next = (changed = outbound) => attemptOnion(plugins, exchange, changed, end, index + 1)
  return end.failures.guardReply(onAttempt, plugin, { exchange, outbound, next })
}
