import type { AttemptPlan } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { NativeForward } from '../contract/operation.ts'
import { createNativeRequest } from './outbound.ts'

/** The client's bytes go out, and the account's come back. */
export function planNativeAttempt(exchange: Routed, forward: NativeForward): AttemptPlan {
  const { upstream, name } = exchange.candidate.dialect
  if (!upstream) throw new Error(`Dialect "${name}" has no upstream side.`)
  return {
    outbound: createNativeRequest(exchange, forward.target(exchange), upstream),
    observer: () => forward.observer(exchange),
    read: (json) => ({ outcome: forward.outcome(json, exchange) }),
  }
}
