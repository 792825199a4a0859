import type { AttemptPlan } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { NativeForward } from '../contract/operation.ts'
import { createNativeRequest } from './native-request.ts'

/** The client's bytes go out, and the account's come back. */
export function planNativeAttempt(exchange: Routed, forward: NativeForward): AttemptPlan {
  return {
    outbound: createNativeRequest(exchange, forward.target(exchange)),
    observer: () => forward.observer(exchange),
    read: (json) => ({ outcome: forward.outcome(json, exchange) }),
  }
}
