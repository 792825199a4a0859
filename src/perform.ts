import { rankCandidates } from './candidates.ts'
import type { PerformOperation, Send } from './dialect.ts'
import type { Outcome, Reply, Routed, Understood } from './exchange.ts'
import { createOutbound } from './outbound.ts'
import type { Outbound } from './plugin.ts'
import { enterRouted } from './stages.ts'
import { AttemptFailure } from './upstream/failure.ts'
import { JsonAttempt } from './upstream/json-attempt.ts'
import type { Environment } from './upstream/environment.ts'

/** Runs an operation of several requests, all of them to the one account that routing chose. */
export async function performCall(
  exchange: Understood,
  operation: PerformOperation,
  environment: Environment,
): Promise<Reply> {
  const ranking = await rankCandidates(exchange, environment.hooks)
  const candidate = ranking.next()
  if (!candidate) throw ranking.nobodyLeft()
  const routed = enterRouted(exchange, candidate, 1)
  exchange.progress.account = candidate.account
  try {
    return await operation.perform(routed, sendTo(routed, environment))
  } catch (thrown) {
    throw thrown instanceof AttemptFailure ? thrown.error : thrown
  }
}

/** Each request is an attempt with an outcome of its own. */
function sendTo(exchange: Routed, environment: Environment): Send {
  return async ({ method, ...target }) => {
    const { dialect } = exchange.candidate
    if (!dialect.upstream) throw new Error(`Dialect "${dialect.name}" has no upstream side.`)
    exchange.progress.attempts++
    exchange.progress.upstreamEndedAt = undefined
    const settle = (outcome: Outcome) => {
      exchange.progress.outcome = outcome
      const { candidate, attempt } = exchange
      return environment.hooks.outcome?.({ exchange, candidate, attempt, outcome })
    }
    const outbound = createOutbound(exchange, target, dialect.upstream)
    const withMethod = method
      ? { ...outbound, method, body: method === 'GET' ? null : outbound.body }
      : outbound
    try {
      const ask = (changed: Outbound) => {
        const handler = new JsonAttempt(
          exchange,
          () => ({ outcome: completed }),
          environment,
          settle,
        )
        handler.begin(changed)
        return handler.reply
      }
      const { attempt } = environment.hooks
      return await (attempt ? attempt(exchange, withMethod, ask) : ask(withMethod))
    } catch (thrown) {
      if (thrown instanceof AttemptFailure) await settle(thrown.outcome)
      throw thrown
    }
  }
}

const completed: Outcome = { status: 'completed', fault: 'none' }
