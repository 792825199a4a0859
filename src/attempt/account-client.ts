import type { Candidate } from '../contract/candidate.ts'
import type { AccountClient } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { rangeHeaders } from '../exchange/headers.ts'
import { Declined } from '../contract/attempt.ts'
import { enterCall, enterRouted, resumeAttempt } from '../exchange/record.ts'
import { attemptOnce } from '../upstream/attempt-once.ts'
import { createAccountRequest } from '../upstream/account-request.ts'
import { ContentReader } from '../upstream/content-reader.ts'
import { ContentRelay } from '../upstream/content-relay.ts'
import type { Limits, Timeouts } from '../contract/limits.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { findFile } from '../upstream/find-file.ts'
import { JsonAttempt } from '../upstream/json-attempt.ts'

/** Deadlines of a look-up, in milliseconds. */
const lookupMs = { firstByteMs: 10_000, idleMs: 10_000, totalMs: 60_000 }

/** A look-up's reply may hold so many results, each as large as any other reply. */
const mostResults = 4

/** Look-ups never count for or against the account's circuit. */
export function accountClientOf(exchange: Understood, given: AttemptEnvironment): AccountClient {
  const environment = blameless(given)
  const hurried = {
    ...environment,
    timeouts: { ...environment.timeouts, ...atMost(environment.timeouts, lookupMs) },
    limits: withResults(environment.limits),
  }
  return {
    fetchJson: (candidate, call) =>
      lookUp(exchange, candidate, async (routed) => {
        let json: unknown
        const read = (answer: unknown) => {
          json = answer
          return { outcome: completed }
        }
        const outbound = createAccountRequest(routed, call)
        const { headers } = await attemptOnce(
          routed,
          outbound,
          hurried.hooks,
          (context) => new JsonAttempt(context, read, hurried),
        )
        return { json, headers }
      }),
    proxy: (candidate, place) =>
      lookUp(exchange, candidate, (routed) =>
        findFile(routed, {
          place,
          headers: rangeHeaders(exchange.request),
          environment,
          handlerOf: (context, one) => new ContentRelay(context, one),
        }),
      ),
    download: (candidate, place, limit) =>
      lookUp(exchange, candidate, async (routed) =>
        bytesOf(
          await findFile(routed, {
            place,
            headers: {},
            environment: hurried,
            handlerOf: (context, one) => new ContentReader(context, one, limit),
          }),
        ),
      ),
  }
}

/**
 * Asks an account about what it has. That is a call without a model, so that its end says nothing of
 * how the account works; an attempt that waits for it goes on as it was.
 */
async function lookUp<T>(
  exchange: Understood,
  candidate: Candidate,
  ask: (exchange: Routed) => Promise<T>,
): Promise<T> {
  const { attempt: before, call } = exchange as Understood & Partial<Routed>
  const isNamed = call.model !== ''
  if (isNamed) enterCall(exchange, { ...call, model: '' })
  try {
    return await ask(enterRouted(exchange, candidate, before?.number ?? 1))
  } catch (error) {
    throw error instanceof Declined ? leftAlone(error) : error
  } finally {
    if (isNamed) enterCall(exchange, call)
    if (before) resumeAttempt(exchange, before)
  }
}

function leftAlone({ reason }: Declined): GatewayError {
  const message = `The account that has what is asked for cannot be used: ${reason}.`
  return new GatewayError('owner_unavailable', message)
}

/** A hook may have answered with something else. */
function bytesOf({ status, body }: Reply): Buffer {
  if (status === 200 && Buffer.isBuffer(body)) return body
  throw new GatewayError('upstream_invalid_reply', 'The file was not read.')
}

function withResults(limits: Limits): Limits {
  return { ...limits, replyBytes: limits.replyBytes * mostResults }
}

function atMost<T extends Partial<Timeouts>>(timeouts: Timeouts, most: T): T {
  const entries = Object.entries(most) as [keyof Timeouts, number][]
  return Object.fromEntries(entries.map(([name, ms]) => [name, Math.min(timeouts[name], ms)])) as T
}

/** The same gateway, in which what an account fails at is not held against it. */
function blameless(environment: AttemptEnvironment): AttemptEnvironment {
  const { hooks } = environment
  const outcome: typeof hooks.outcome =
    hooks.outcome &&
    ((input) => {
      const { fault } = input.outcome
      const told = { ...input.outcome, fault: fault === 'account' ? 'none' : fault } as const
      return hooks.outcome?.({ ...input, outcome: told })
    })
  return { ...environment, hooks: { ...hooks, outcome } }
}

const completed: Outcome = { status: 'completed', fault: 'none' }
