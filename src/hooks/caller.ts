import type { Authenticated } from '../contract/exchange.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { Hook, PluginFailures } from './plugin-failures.ts'

type Gatekeeper = GatewayPlugin & Required<Pick<GatewayPlugin, 'onCaller'>>

const onCaller: Hook<Gatekeeper, { readonly exchange: Authenticated }, void> = {
  name: 'onCaller',
  call: (plugin, input) => plugin.onCaller(input),
}

/** Asks each plugin whether the caller may go on. Returns a promise only if a plugin returns one. */
export function admitCaller(
  plugins: readonly Gatekeeper[],
  exchange: Authenticated,
  failures: PluginFailures,
  from = 0,
): MaybePromise<void> {
  for (let index = from; index < plugins.length; index++) {
    const asked = failures.guard(onCaller, plugins[index]!, { exchange }, () => {})
    if (isThenable(asked)) {
      return asked.then(() => admitCaller(plugins, exchange, failures, index + 1))
    }
  }
  return undefined
}
