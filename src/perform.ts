import { askWith } from './asking.ts'
import type { PerformOperation, Send } from './dialect.ts'
import type { Outcome, Reply, Routed, Understood } from './exchange.ts'
import { createOutbound } from './outbound.ts'
import { type OneAccount, createOneAccount } from './one-account.ts'
import { Declined } from './plugin.ts'
import { attemptOnce } from './upstream/attempt-once.ts'
import type { Environment } from './upstream/environment.ts'
import { JsonAttempt } from './upstream/json-attempt.ts'

/** Runs an operation of several requests. */
export function performCall(
  exchange: Understood,
  operation: PerformOperation,
  environment: Environment,
): Promise<Reply> {
  const one = createOneAccount(exchange, environment)
  const send: Send = (target) => sendTo(one, target, environment)
  return operation.perform(exchange, send, askWith(exchange, environment))
}

/** All requests go to the one account that routing chooses when the first is sent. */
async function sendTo(
  one: OneAccount,
  target: Parameters<Send>[0],
  environment: Environment,
): Promise<Reply> {
  for (;;) {
    const routed = await one.routed()
    const { candidate } = routed
    let sent = 0
    const onSending = () => {
      sent++
      one.sending()
    }
    try {
      return await request(routed, target, environment, onSending)
    } catch (thrown) {
      if (!(thrown instanceof Declined)) throw thrown
      one.decline(candidate, thrown, sent)
    }
  }
}

function request(
  routed: Routed,
  { method, ...target }: Parameters<Send>[0],
  environment: Environment,
  onSending: () => void,
): Promise<Reply> {
  const { dialect } = routed.candidate
  if (!dialect.upstream) throw new Error(`Dialect "${dialect.name}" has no upstream side.`)
  const outbound = createOutbound(routed, target, dialect.upstream)
  const withMethod = method
    ? { ...outbound, method, body: method === 'GET' ? null : outbound.body }
    : outbound
  return attemptOnce(routed, withMethod, environment, (settle) => {
    onSending()
    return new JsonAttempt(routed, () => ({ outcome: completed }), environment, settle)
  })
}

const completed: Outcome = { status: 'completed', fault: 'none' }
