import type { RequestBody } from '../contract/body.ts'
import type { Call } from '../contract/call.ts'
import type { Authenticated, Understood } from '../contract/exchange.ts'
import type { ForwardOperation, PerformOperation } from '../contract/operation.ts'
import { resolveModel } from '../kit/models.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { enterCall, enterUnderstood } from './record.ts'

/**
 * Calls the operation's `understand`, which checks the body and returns the call, and resolves the
 * call's model. Throws, or rejects with, `GatewayError`.
 */
export function understand(
  exchange: Authenticated,
  operation: ForwardOperation | PerformOperation,
  body: RequestBody,
): MaybePromise<Understood> {
  const enter = (call: Call) => {
    // Before the model is resolved, so that the access log has the call of an unknown model.
    enterCall(exchange, call)
    return enterUnderstood(exchange, body, call, resolveModel(exchange, call))
  }
  const call = operation.understand(exchange, body)
  return isThenable(call) ? call.then(enter) : enter(call)
}
