import type { AttemptPlan } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { NativeForward } from '../contract/operation.ts'
import { createNativeRequest } from './native-request.ts'

/** Plans a native attempt: the account gets the client's bytes, and the client gets the account's. */
export function planNativeAttempt(exchange: Routed, forward: NativeForward): AttemptPlan {
  return {
    outbound: createNativeRequest(exchange, forward.target(exchange)),
    observer: () => forward.observer(exchange),
    read: (json) => ({ outcome: forward.outcome(json, exchange) }),
  }
}
