import type { Candidate } from '../contract/candidate.ts'
import type { AccountClient } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { rangeHeaders } from '../exchange/headers.ts'
import { ownerUnreachable } from '../kit/owner-unreachable.ts'
import { Declined } from '../contract/attempt.ts'
import { enterCall, enterRouted, resumeAttempt } from '../exchange/record.ts'
import { attemptOnce } from '../upstream/attempt-once.ts'
import { createAccountRequest } from '../upstream/outbound.ts'
import { contentReader } from '../upstream/content-reader.ts'
import { contentRelay } from '../upstream/content-relay.ts'
import type { Limits } from '../contract/limits.ts'
import { type AttemptEnvironment, atMost } from '../upstream/environment.ts'
import { findFile } from '../upstream/find-file.ts'
import { jsonAttempt } from '../upstream/json-attempt.ts'
import { wasUnreachable } from './failover.ts'

/** Deadlines of a look-up, in milliseconds. */
const lookupMs = { firstByteMs: 10_000, idleMs: 10_000, totalMs: 60_000 }

/** The reply to a look-up may contain this number of results, each as large as any other reply. */
const mostResults = 4

/** Creates the client for an exchange's look-ups, which never count for or against an account's circuit. */
export function accountClientOf(
  exchange: Understood,
  attemptEnvironment: AttemptEnvironment,
): AccountClient {
  const environment = withoutAccountFaults(attemptEnvironment)
  const hurried = {
    ...environment,
    timeouts: atMost(environment.timeouts, lookupMs),
    mostMs: lookupMs,
    limits: withResults(environment.limits),
  }
  const accountError = (error: unknown) => failedAtOwner(error, exchange)
  return {
    fetchJson: (candidate, call) =>
      lookUp(exchange, candidate, async (routed) => {
        let json: unknown
        const read = (reply: unknown) => {
          json = reply
          return { outcome: completed }
        }
        const outbound = createAccountRequest(routed, call)
        const { headers } = await attemptOnce(routed, outbound, hurried.hooks, (context) =>
          jsonAttempt(context, { read }, hurried),
        ).catch((error: unknown) => {
          throw accountError(error)
        })
        return { json, headers }
      }),
    proxy: (candidate, place) =>
      lookUp(exchange, candidate, (routed) =>
        findFile(routed, {
          place,
          headers: rangeHeaders(exchange.request),
          environment,
          attemptFor: contentRelay,
          accountError,
        }),
      ),
    download: (candidate, place, limit) =>
      lookUp(exchange, candidate, async (routed) =>
        bytesOf(
          await findFile(routed, {
            place,
            headers: {},
            environment: hurried,
            attemptFor: (context, one) => contentReader(context, one, limit),
            accountError,
          }),
        ),
      ),
  }
}

/**
 * Runs a look-up at an account. Meanwhile the call has no model, so that plugins learn nothing about
 * the model from the look-up's outcome. Restores the call and the current attempt afterwards.
 */
async function lookUp<T>(
  exchange: Understood,
  candidate: Candidate,
  send: (exchange: Routed) => Promise<T>,
): Promise<T> {
  const { attempt: before, call } = exchange as Understood & Partial<Routed>
  const isNamed = call.model !== ''
  if (isNamed) enterCall(exchange, { ...call, model: '' })
  try {
    return await send(enterRouted(exchange, candidate, before?.number ?? 1))
  } catch (error) {
    throw error instanceof Declined ? ownerUnavailable(error.reason) : error
  } finally {
    if (isNamed) enterCall(exchange, call)
    if (before) resumeAttempt(exchange, before)
  }
}

/** Runs look-ups before an attempt; afterwards the attempt goes on, and no look-up counts as one. */
export async function besideAttempt<T>(exchange: Routed, work: () => Promise<T>): Promise<T> {
  const { attempt, progress } = exchange
  const { attempts } = progress
  try {
    return await work()
  } finally {
    resumeAttempt(exchange, attempt)
    Object.assign(progress, { attempt, attempts })
  }
}

/** The error of a failed request to the account, which alone has the resource. */
function failedAtOwner(error: unknown, { progress: { attempt } }: Understood): unknown {
  const isKnown = attempt && GatewayError.isInstance(error)
  return isKnown && wasUnreachable(attempt, error)
    ? ownerUnreachable(ownerUnavailable, error)
    : error
}

function ownerUnavailable(reason: string): GatewayError {
  const message = `The account that owns the requested resource cannot be used: ${reason}.`
  return new GatewayError('owner_unavailable', message)
}

/** A hook may have replaced the reply. */
function bytesOf({ status, body }: Reply): Buffer {
  if (status === 200 && Buffer.isBuffer(body)) return body
  throw new GatewayError('upstream_invalid_reply', 'The file could not be read.')
}

function withResults(limits: Limits): Limits {
  return { ...limits, replyBytes: limits.replyBytes * mostResults }
}

/** The same environment, in which outcomes with `fault: 'account'` reach plugins as `none`. */
function withoutAccountFaults(environment: AttemptEnvironment): AttemptEnvironment {
  const { hooks } = environment
  const outcome: typeof hooks.outcome =
    hooks.outcome &&
    ((input) => {
      const { fault } = input.outcome
      const changed = { ...input.outcome, fault: fault === 'account' ? 'none' : fault } as const
      return hooks.outcome?.({ ...input, outcome: changed })
    })
  return { ...environment, hooks: { ...hooks, outcome, refusal: undefined } }
}

const completed: Outcome = { status: 'completed', fault: 'none' }
