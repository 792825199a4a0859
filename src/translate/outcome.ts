import type { Account } from '../accounts/account.ts'
import { GatewayError } from '../errors.ts'
import type { Outcome } from '../exchange.ts'
import type { ErrorEvent } from '../generate/events.ts'
import type { GenerateUsage, StopReason } from '../generate/result.ts'
import { redact } from '../upstream/redact.ts'
import { knownUsage } from '../usage.ts'

/** What the client calls what it got. */
export interface Named {
  readonly kind: string
  readonly id: string
  readonly model: string | undefined
  readonly items: readonly string[]
}

const cut: ReadonlySet<StopReason> = new Set(['length', 'context', 'filtered', 'paused'])

/** What a translated reply means: with the ids that the client sees. */
export function translatedOutcome(
  stops: readonly StopReason[],
  usage: GenerateUsage,
  { kind, id, model, items }: Named,
): Outcome {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = usage
  return {
    status: stops.some((reason) => cut.has(reason)) ? 'incomplete' : 'completed',
    fault: 'none',
    produced: { kind, id, model },
    items,
    usage: knownUsage({ inputTokens, outputTokens, cachedTokens, reasoningTokens }),
  }
}

/** Statuses that are about the request, whichever account reads it. */
const callers = new Set([400, 404, 413, 422])

/** What an upstream told of a failure inside its reply. */
export function toldFailure(
  { message, status }: ErrorEvent,
  upstream: Account,
): { error: GatewayError; outcome: Outcome } {
  const error = new GatewayError('upstream_rejected', redact(message, upstream), { status })
  const fault = callers.has(status) ? 'caller' : 'account'
  return { error, outcome: { status: 'failed', fault, httpStatus: status, error } }
}
