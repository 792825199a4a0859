import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { GatewayPlugin, RequestInput } from '../contract/plugin.ts'
import { assertChangedRequest } from '../generate/check-request.ts'
import type { GenerateRequest } from '../generate/request.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import { within } from '../lib/deadline.ts'
import { type Hook, type HookOptions, type PluginFailures, aboutOf } from './plugin-failures.ts'

type Changer = GatewayPlugin & Required<Pick<GatewayPlugin, 'onRequest'>>

/** The request after all `onRequest` hooks. */
export interface ChangedRequest {
  readonly request: GenerateRequest
  /** Attributes an error of the changed request to the last plugin that changed it. */
  failed(error: unknown): GatewayError
}

/** Runs the `onRequest` hooks. Resolves with `undefined` if no plugin changed the request. */
export type ChangeRequest = (
  exchange: Understood,
  request: GenerateRequest,
) => Promise<ChangedRequest | undefined>

/** Composes `onRequest` hooks: each plugin gets the request that the plugin before it returned. */
export function createChangeRequest(
  plugins: readonly Changer[],
  failures: PluginFailures,
  { pluginMs, onHookError }: HookOptions,
): ChangeRequest {
  const late = () => new Error(`It did not finish within ${pluginMs} ms.`)
  const onRequest: Hook<Changer, RequestInput, GenerateRequest> = {
    name: 'onRequest',
    call(plugin, input) {
      const changed = plugin.onRequest(input)
      return isThenable(changed) ? within(pluginMs, Promise.resolve(changed), late) : changed
    },
  }

  return async (exchange, original) => {
    let request = original
    let last: Changer | undefined
    for (const plugin of plugins) {
      // A change in place would pass unnoticed.
      freezeAll(request)
      const input = { exchange, request }
      const changed = failures.guard(onRequest, plugin, input, (result) => {
        assertChangedRequest(result, input.request)
        return result
      })
      request = isThenable(changed) ? await untilGone(changed, exchange) : changed
      if (request !== input.request) last = plugin
    }
    if (!last) return undefined
    const plugin = last
    return {
      request,
      failed(error) {
        onHookError(plugin, 'onRequest', error, aboutOf(exchange, plugin))
        return new GatewayError(
          'plugin_failed',
          'A plugin of the gateway failed on this request.',
          {
            cause: error,
          },
        )
      },
    }
  }
}

/** Freezes a JSON value and all that it contains. */
function freezeAll(value: unknown): void {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    for (const member of Object.values(next)) open.push(member)
    Object.freeze(next)
  }
}

/** Rejects with `client_closed_request` when the client leaves: a hook may never end. */
async function untilGone<T>(work: Promise<T>, { client }: Understood): Promise<T> {
  try {
    return await untilAborted(work, client.signal)
  } catch (error) {
    if (!client.signal.aborted || error !== client.signal.reason) throw error
    throw new GatewayError('client_closed_request', 'The client closed the request.')
  }
}
