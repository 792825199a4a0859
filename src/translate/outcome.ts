import type { Account } from '../contract/account.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Outcome, Produced } from '../contract/outcome.ts'
import type { ErrorEvent } from '../generate/events.ts'
import type { GenerateUsage, StopReason } from '../generate/result.ts'
import { isPluginError } from '../kit/plugin-errors.ts'
import { redact } from '../kit/redact.ts'
import { knownUsage } from '../kit/usage.ts'

/** What the client calls what it got. */
export interface NamedReply {
  readonly kind: string
  readonly id: string
  readonly model: string | undefined
  readonly items: readonly string[]
  /** What the gateway keeps of it, and for what. */
  readonly keeping: Pick<Produced, 'binds' | 'stored'>
}

const cut: ReadonlySet<StopReason> = new Set(['length', 'context', 'filtered', 'paused'])

/** What a translated reply means: with the ids that the client sees. */
export function translatedOutcome(
  stops: readonly StopReason[],
  usage: GenerateUsage,
  { kind, id, model, items, keeping }: NamedReply,
): Outcome {
  const isCut = stops.some((reason) => cut.has(reason))
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage
  return {
    status: isCut ? 'incomplete' : 'completed',
    fault: 'none',
    produced: { kind, id, model, ...keeping },
    items,
    usage: knownUsage({ inputTokens, outputTokens, cachedTokens, reasoningTokens }),
  }
}

/** Statuses that are about the request, whichever account reads it. */
const callers = new Set([400, 404, 413, 422])

/** A failure that an upstream told of inside its reply, or that a plugin made of it. */
export function failureOutcome(
  event: ErrorEvent,
  upstream: Account,
): { error: GatewayError; outcome: Outcome } {
  const isOwn = isPluginError(event)
  const error = isOwn ? rejection(event, upstream) : refusal(event, upstream)
  const theirs = callers.has(error.status) ? 'caller' : 'account'
  const fault = isOwn ? 'gateway' : theirs
  return { error, outcome: { status: 'failed', fault, httpStatus: error.status, error } }
}

function refusal({ code, message, status }: ErrorEvent, upstream: Account): GatewayError {
  const told = redact(message, upstream)
  // Plugins reword events as well, and not all of them are typed.
  return code === 'context_length_exceeded'
    ? new GatewayError(code, told)
    : new GatewayError('upstream_rejected', told, { status })
}

/** What a plugin made of a reply: its author may have checked no types. */
function rejection({ code, message, status }: ErrorEvent, upstream: Account): GatewayError {
  const told = typeof message === 'string' ? redact(message, upstream) : wordless
  if (code === 'context_length_exceeded') return new GatewayError(code, told)
  const isError = Number.isInteger(status) && status >= 400 && status < 600
  return new GatewayError('plugin_rejected', told, isError ? { status } : {})
}

const wordless = 'A plugin of the gateway rejected this reply.'
