import type { AttemptPlan } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { NativeForward } from '../contract/operation.ts'
import { replyModelOf } from '../accounts/reply-model.ts'
import { accountFraming, clientFraming } from '../kit/framing/choose.ts'
import { ReframingObserver } from './reframed.ts'
import { ModelRenamer } from './rename-model.ts'
import { ModelRenamingObserver } from './renaming-observer.ts'
import { createNativeRequest } from './native-request.ts'
import { type NativePlan, idEdits, renamePath, withClientIds } from './renamed.ts'

/**
 * Plans a native attempt: the account gets the client's bytes, and the client gets the account's, except
 * for the name of the model where `replyModel` says so.
 */
export function planNativeAttempt(exchange: Routed, forward: NativeForward): AttemptPlan {
  const { modelPaths } = forward
  const name = replyModelOf(exchange)
  const { keyId } = exchange.caller
  const renamed = exchange.progress.routing?.renamed
  const framing = accountFraming(exchange.candidate.dialect)
  const target = forward.target(exchange)
  const plan: NativePlan = {
    outbound: createNativeRequest(exchange, renamed ? renamePath(target, renamed) : target, [
      ...(forward.accountEdits?.(exchange) ?? []),
      ...(renamed ? idEdits(exchange, renamed) : []),
    ]),
    observer() {
      const own = forward.observer(exchange)
      const observer =
        name === undefined || !modelPaths
          ? own
          : new ModelRenamingObserver(own, new ModelRenamer(modelPaths.frame, name), framing)
      const toClient = clientFraming(exchange.dialect, exchange.request)
      return toClient === framing ? observer : new ReframingObserver(observer, framing, toClient)
    },
    read(json, received) {
      const outcome = forward.outcome(json, exchange)
      const reportsFailure = forward.reportsFailure?.(json) ?? false
      const settled = reportsFailure ? { outcome, reportsFailure } : { outcome }
      if (name === undefined || !modelPaths || !received) return settled
      return { ...settled, body: new ModelRenamer(modelPaths.reply, name).inJson(received) }
    },
  }
  return renamed ? withClientIds(plan, renamed, framing, keyId) : plan
}
