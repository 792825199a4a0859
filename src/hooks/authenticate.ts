import type { Caller, RefusedKey } from '../contract/request.ts'
import { isRefused } from '../kit/refused-key.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Hook, PluginFailures } from './plugin-failures.ts'

type Authenticator = GatewayPlugin & Required<Pick<GatewayPlugin, 'onAuthenticate'>>
type AuthenticateInput = Parameters<Authenticator['onAuthenticate']>[0]
type Found = Caller | RefusedKey | undefined

const onAuthenticate: Hook<Authenticator, AuthenticateInput, Found> = {
  name: 'onAuthenticate',
  call: (plugin, input) => plugin.onAuthenticate(input),
}

/**
 * Returns the caller of the first plugin that finds one; if none does, the first key that a plugin refuses. Returns
 * a promise only if a plugin returns one.
 */
export function firstCaller(
  plugins: readonly Authenticator[],
  input: AuthenticateInput,
  failures: PluginFailures,
  from = 0,
  refused?: RefusedKey,
): MaybePromise<Found> {
  for (let index = from; index < plugins.length; index++) {
    const found = failures.guard(onAuthenticate, plugins[index]!, input, identity)
    if (isThenable(found)) {
      return found.then((known) =>
        known && !isRefused(known)
          ? known
          : firstCaller(plugins, input, failures, index + 1, refused ?? known),
      )
    }
    if (!found) continue
    if (!isRefused(found)) return found
    refused ??= found
  }
  return refused
}

const identity = (found: Found) => found
