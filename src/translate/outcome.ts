import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Outcome, Produced } from '../contract/outcome.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { ErrorEvent } from '../generate/events.ts'
import { type GenerateUsage, type StopReason, cutReasons } from '../generate/result.ts'
import { isPluginError } from '../kit/plugin-errors.ts'
import { redact, redactMessage, redacted } from '../kit/secrets/redact.ts'
import { faultOfSubject, pauseOf, refusalError, subjectOfRefusal } from '../kit/refusal-subject.ts'
import { codeIn, faultOfStatus } from '../kit/upstream-error.ts'
import { knownUsage } from '../kit/usage.ts'
import type { AccountCodec } from '../contract/codec.ts'

/** A translated reply under the names that the client knows. */
interface ClientReply {
  readonly kind: string
  readonly id: string
  readonly model: string | undefined
  readonly items: readonly string[]
  /** The resource that the gateway stores for it, if any, and its use. */
  readonly stored: Pick<Produced, 'binds' | 'stored'>
}

/** The outcome of an attempt with a translated reply. Its ids are those that the client sees. */
export function translatedOutcome(
  stops: readonly StopReason[],
  usage: GenerateUsage,
  { kind, id, model, items, stored }: ClientReply,
): Outcome {
  const isCut = stops.some((reason) => cutReasons.has(reason))
  return {
    status: isCut ? 'incomplete' : 'completed',
    fault: 'none',
    produced: { kind, id, model, ...stored },
    items,
    usage: knownUsage(usage),
    finishReasons: stops,
  }
}

/**
 * The outcome for an error event, from the reply of an upstream or from a plugin. `reported` is the
 * upstream's own error object, as far as it is known.
 */
export function failureOutcome(
  event: ErrorEvent,
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
  reported: Refusal['error'] = {},
): { error: GatewayError; outcome: Outcome } {
  if (isPluginError(event)) {
    const error = rejection(event, account)
    return {
      error,
      outcome: { status: 'failed', fault: 'gateway', httpStatus: error.status, error },
    }
  }
  const { status, message } = event
  const refused = { status, error: { message, ...reported }, headers: {} }
  const about = event.about ?? subjectOfRefusal(refused, dialect.upstream)
  const error = refusalError(about, refusal(event, account, codeIn(reported)))
  const retryAfterMs = pauseOf({ status, error: reported }, dialect.upstream)
  const fault = about ? faultOfSubject(about) : faultOfStatus(error.status)
  const outcome = {
    status: 'failed',
    fault,
    ...(about && { about }),
    httpStatus: status,
    error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  } as const
  return { error, outcome }
}

function refusal(
  { code, message, status }: ErrorEvent,
  upstream: Account,
  reported: string | undefined,
): GatewayError {
  const text = redactMessage(message, upstream)
  // A mapper may have replaced the code with anything, so that only this one is passed on.
  return code === 'context_length_exceeded'
    ? new GatewayError(code, text)
    : new GatewayError('upstream_rejected', text, {
        status,
        upstreamCode: redacted(reported, upstream),
      })
}

/** Checks the types of the event, because a plugin may be plain JavaScript. */
function rejection({ code, message, status }: ErrorEvent, upstream: Account): GatewayError {
  const text = typeof message === 'string' ? redact(message, upstream) : defaultMessage
  if (code === 'context_length_exceeded') return new GatewayError(code, text)
  const isError = Number.isInteger(status) && status >= 400 && status < 600
  return new GatewayError('plugin_rejected', text, isError ? { status } : {})
}

const defaultMessage = 'A plugin of the gateway rejected this reply.'

/**
 * The error of an account for a client of another dialect: without the upstream's body, which is in the
 * account's dialect. An exceeded context gets its own code, because every dialect has one for it.
 */
export function translateRefusal(error: GatewayError, account: AccountCodec): GatewayError {
  const { upstream } = error
  if (!upstream) return error
  const { status, json } = upstream
  const isTooLong = account.exceedsContext?.({ status, json }) ?? false
  return new GatewayError(isTooLong ? 'context_length_exceeded' : error.code, error.message, {
    ...(!isTooLong && { status: error.status }),
    ...(error.retry !== undefined && { retry: error.retry }),
    headers: error.headers,
    cause: error,
  })
}
