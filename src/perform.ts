import { askWith } from './asking.ts'
import { rankCandidates } from './candidates.ts'
import type { PerformOperation, Send } from './dialect.ts'
import type { Outcome, Reply, Routed, Understood } from './exchange.ts'
import { createOutbound } from './outbound.ts'
import { enterRouted } from './stages.ts'
import { attemptOnce } from './upstream/attempt-once.ts'
import type { Environment } from './upstream/environment.ts'
import { JsonAttempt } from './upstream/json-attempt.ts'

/** Runs an operation of several requests. */
export function performCall(
  exchange: Understood,
  operation: PerformOperation,
  environment: Environment,
): Promise<Reply> {
  const send = sendTo(exchange, environment)
  return operation.perform(exchange, send, askWith(exchange, environment))
}

/** All requests go to the one account that routing chooses when the first is sent. */
function sendTo(exchange: Understood, environment: Environment): Send {
  let routed: Promise<Routed> | undefined
  return async ({ method, ...target }) => {
    routed ??= route(exchange, environment)
    const known = await routed
    const { dialect } = known.candidate
    if (!dialect.upstream) throw new Error(`Dialect "${dialect.name}" has no upstream side.`)
    const outbound = createOutbound(known, target, dialect.upstream)
    const withMethod = method
      ? { ...outbound, method, body: method === 'GET' ? null : outbound.body }
      : outbound
    return attemptOnce(known, withMethod, environment, (settle) => {
      return new JsonAttempt(known, () => ({ outcome: completed }), environment, settle)
    })
  }
}

async function route(exchange: Understood, environment: Environment): Promise<Routed> {
  const ranking = await rankCandidates(exchange, environment.hooks)
  const candidate = ranking.next()
  if (!candidate) throw ranking.nobodyLeft()
  return enterRouted(exchange, candidate, 1)
}

const completed: Outcome = { status: 'completed', fault: 'none' }
