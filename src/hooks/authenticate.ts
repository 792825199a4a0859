import type { Caller, RefusedKey } from '../contract/request.ts'
import { isRefused } from '../kit/refused-key.ts'
import { isThenable, type MaybePromise } from '../lib/maybe-promise.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { Hook, PluginFailures } from './plugin-failures.ts'
import type { Authenticated } from '../contract/exchange.ts'

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
