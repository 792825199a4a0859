import type { Candidate } from '../contract/candidate.ts'
import type { Asking } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { rangeHeaders } from '../exchange/headers.ts'
import { Declined } from '../contract/attempt.ts'
import { enterCall, enterRouted } from '../exchange/record.ts'
import { attemptOnce } from '../upstream/attempt-once.ts'
import { createCallOutbound } from '../upstream/call-outbound.ts'
import { ContentReader } from '../upstream/content-reader.ts'
import { ContentRelay } from '../upstream/content-relay.ts'
import type { Limits, Timeouts } from '../contract/limits.ts'
import type { Environment } from '../upstream/environment.ts'
import { findFile } from '../upstream/find-file.ts'
import { JsonAttempt } from '../upstream/json-attempt.ts'

/** How long an account has to tell what it is asked for, in milliseconds. */
const tellMs = { firstByteMs: 10_000, idleMs: 10_000, totalMs: 60_000 }

/** What an account tells may hold so many results, each as large as any other reply. */
const mostResults = 4

/** Whatever happens, it is no evidence of how the account does its work. */
export function askWith(exchange: Understood, given: Environment): Asking {
  const environment = blameless(given)
  const hurried = {
    ...environment,
    timeouts: { ...environment.timeouts, ...atMost(environment.timeouts, tellMs) },
    limits: withResults(environment.limits),
  }
  return {
    ask: (candidate, call) =>
      lookUp(exchange, candidate, async (routed) => {
        let json: unknown
        const read = (answer: unknown) => {
          json = answer
          return { outcome: completed }
        }
        const outbound = createCallOutbound(routed, call)
        const { headers } = await attemptOnce(
          routed,
          outbound,
          hurried,
          (settle) => new JsonAttempt(routed, read, hurried, settle),
        )
        return { json, headers }
      }),
    relay: (candidate, place) =>
      lookUp(exchange, candidate, (routed) =>
        findFile(routed, {
          place,
          headers: rangeHeaders(exchange.request),
          environment,
          handlerOf: (one, settle) => new ContentRelay(routed, one, settle),
        }),
      ),
    read: (candidate, place, limit) =>
      lookUp(exchange, candidate, async (routed) =>
        bytesOf(
          await findFile(routed, {
            place,
            headers: {},
            environment: hurried,
            handlerOf: (one, settle) => new ContentReader(routed, one, settle, limit),
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
  const { candidate: before, attempt = 1, call } = exchange as Understood & Partial<Routed>
  const isNamed = call.model !== ''
  if (isNamed) enterCall(exchange, { ...call, model: '' })
  try {
    return await ask(enterRouted(exchange, candidate, attempt))
  } catch (error) {
    throw error instanceof Declined ? leftAlone(error) : error
  } finally {
    if (isNamed) enterCall(exchange, call)
    if (before) enterRouted(exchange, before, attempt)
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
function blameless(environment: Environment): Environment {
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
