import { Declined } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { PerformOperation, Send } from '../contract/operation.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { enterRouted } from '../exchange/record.ts'
import { type Ranking, route } from '../route/route.ts'
import { nextTurn } from '../lib/turns.ts'
import { attemptOnce } from '../upstream/attempt-once.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { abandonedAttempt } from '../upstream/failure.ts'
import { jsonAttempt } from '../upstream/json-attempt.ts'
import { createNativeRequest } from '../upstream/native.ts'
import { accountClientOf } from './account-client.ts'
import { declinedPerTurn, isAbandoned, wasUnreachable } from './failover.ts'

/** The one account for all requests of an operation, chosen when the first request is sent. */
interface SingleAccount {
  /** Rejects with `GatewayError` if no account can serve the call. */
  routed(): Promise<Routed>
  /** Counts a request that is sent to the account. */
  sending(): void
  /**
   * Excludes a candidate that declined a request, so that another is chosen. `sent` is the number of
   * times that request was sent. Throws `GatewayError` if other requests were sent to the account,
   * because no other account can continue them.
   */
  decline(candidate: Candidate, declined: Declined, sent: number): void
  /** The error of the call for a request that failed. */
  error(thrown: unknown): unknown
}

/** Creates the choice of one account for an exchange. */
function createSingleAccount(
  exchange: Understood,
  environment: Pick<AttemptEnvironment, 'hooks' | 'slots' | 'latencies'>,
): SingleAccount {
  let ranking: Ranking | undefined
  let present: Candidate | undefined
  let chosen: Promise<Routed> | undefined
  let sentInAll = 0

  async function choose(): Promise<Routed> {
    ranking ??= await route(exchange, environment)
    present = ranking.next()
    if (!present) throw ranking.unavailableError()
    return enterRouted(exchange, present, 1)
  }

  return {
    routed: () => (chosen ??= choose()),
    sending: () => void sentInAll++,
    error(thrown) {
      const { attempt } = exchange.progress
      if (!attempt || !ranking || !GatewayError.isInstance(thrown)) return thrown
      return wasUnreachable(attempt, thrown) ? ranking.unreachableError(thrown) : thrown
    },
    decline(candidate, declined, sent) {
      sentInAll -= sent
      // A parallel request may have declined it before.
      if (candidate !== present) return
      ranking?.exclude(candidate, declined)
      if (ranking && sentInAll > 0) throw ranking.unavailableError()
      present = undefined
      chosen = undefined
    },
  }
}

/** Runs an operation that sends any number of requests. */
export function performCall(
  exchange: Understood,
  operation: PerformOperation,
  environment: AttemptEnvironment,
): Promise<Reply> {
  const one = createSingleAccount(exchange, environment)
  const send: Send = (target) => sendTo(one, target, environment)
  return operation.perform(exchange, send, accountClientOf(exchange, environment))
}

/** Sends one request to the account, and to the next one if the account declines. */
async function sendTo(
  one: SingleAccount,
  target: Parameters<Send>[0],
  environment: AttemptEnvironment,
): Promise<Reply> {
  for (let declined = 1; ; declined++) {
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
      if (!(thrown instanceof Declined)) throw one.error(thrown)
      if (isAbandoned(routed)) throw abandonedAttempt().error
      one.decline(candidate, thrown, sent)
      if (declined % declinedPerTurn === 0) await nextTurn()
    }
  }
}

function request(
  routed: Routed,
  { method, ...target }: Parameters<Send>[0],
  environment: AttemptEnvironment,
  onSending: () => void,
): Promise<Reply> {
  const outbound = createNativeRequest(routed, target)
  const withMethod = method
    ? { ...outbound, method, body: method === 'GET' ? null : outbound.body }
    : outbound
  return attemptOnce(routed, withMethod, environment.hooks, (context) => {
    onSending()
    return jsonAttempt(context, { read: () => ({ outcome: completed }) }, environment)
  })
}

const completed: Outcome = { status: 'completed', fault: 'none' }
