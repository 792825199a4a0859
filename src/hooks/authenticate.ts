import type { Caller } from '../contract/request.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Hook, PluginFailures } from './plugin-failures.ts'

type Authenticator = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAuthenticate'>>
type AuthenticateInput = Parameters<Authenticator['onAuthenticate']>[0]

const onAuthenticate: Hook<Authenticator, AuthenticateInput, Caller | undefined> = {
  name: 'onAuthenticate',
  call: (plugin, input) => plugin.onAuthenticate(input),
}

/** Returns the caller of the first plugin that finds one. Returns a promise only if a plugin returns one. */
export function firstCaller(
  plugins: readonly Authenticator[],
  input: AuthenticateInput,
  failures: PluginFailures,
  from = 0,
): MaybePromise<Caller | undefined> {
  for (let index = from; index < plugins.length; index++) {
    const caller = failures.guard(onAuthenticate, plugins[index]!, input, identity)
    if (isThenable(caller)) {
      return caller.then((known) => known ?? firstCaller(plugins, input, failures, index + 1))
    }
    if (caller) return caller
  }
  return undefined
}

const identity = (caller: Caller | undefined) => caller
