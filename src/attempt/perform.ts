import { Declined } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { PerformOperation, Send } from '../contract/operation.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { enterRouted } from '../exchange/record.ts'
import type { Ranking } from '../route/ranking.ts'
import { route } from '../route/route.ts'
import { attemptOnce } from '../upstream/attempt-once.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { JsonAttempt } from '../upstream/json-attempt.ts'
import { createNativeRequest } from '../upstream/native-request.ts'
import { accountClientOf } from './account-client.ts'

/** The account that all requests of an operation go to: chosen when the first is sent. */
export interface SingleAccount {
  /** Rejects with `GatewayError` where there is none. */
  routed(): Promise<Routed>
  /** Something is being sent to it. */
  sending(): void
  /**
   * It cannot be had, as a request tells that had sent so much to it: the next one is chosen. Throws
   * `GatewayError` where other requests were sent to it, since nobody else goes on with those.
   */
  decline(candidate: Candidate, declined: Declined, sent: number): void
}

export function createSingleAccount(
  exchange: Understood,
  { hooks }: Pick<AttemptEnvironment, 'hooks'>,
): SingleAccount {
  let ranking: Ranking | undefined
  let present: Candidate | undefined
  let chosen: Promise<Routed> | undefined
  let sentInAll = 0

  async function choose(): Promise<Routed> {
    ranking ??= await route(exchange, hooks)
    present = ranking.next()
    if (!present) throw ranking.unavailableError()
    return enterRouted(exchange, present, 1)
  }

  return {
    routed: () => (chosen ??= choose()),
    sending: () => void sentInAll++,
    decline(candidate, declined, sent) {
      sentInAll -= sent
      // A request beside this one may have said so before.
      if (candidate !== present) return
      ranking?.exclude(candidate, declined)
      if (ranking && sentInAll > 0) throw ranking.unavailableError()
      present = undefined
      chosen = undefined
    },
  }
}

/** Runs an operation of several requests. */
export function performCall(
  exchange: Understood,
  operation: PerformOperation,
  environment: AttemptEnvironment,
): Promise<Reply> {
  const one = createSingleAccount(exchange, environment)
  const send: Send = (target) => sendTo(one, target, environment)
  return operation.perform(exchange, send, accountClientOf(exchange, environment))
}

/** All requests go to the one account that routing chooses when the first is sent. */
async function sendTo(
  one: SingleAccount,
  target: Parameters<Send>[0],
  environment: AttemptEnvironment,
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
  environment: AttemptEnvironment,
  onSending: () => void,
): Promise<Reply> {
  const outbound = createNativeRequest(routed, target)
  const withMethod = method
    ? { ...outbound, method, body: method === 'GET' ? null : outbound.body }
    : outbound
  return attemptOnce(routed, withMethod, environment.hooks, (context) => {
    onSending()
    return new JsonAttempt(context, () => ({ outcome: completed }), environment)
  })
}

const completed: Outcome = { status: 'completed', fault: 'none' }
