import { slotRule } from '../accounts/slots.ts'
import type { Exclusion } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import { unfitModelRule } from '../kit/account-path.ts'
import { cannotTell } from '../kit/cannot-tell.ts'

/**
 * The error for a call that no candidate can serve. It is no definite no while the store, which may have other
 * candidates, does not answer.
 */
export function noAccountError(exchange: Understood, excluded: readonly Exclusion[]): GatewayError {
  const error = errorOfKnown(exchange, excluded)
  const isDefinite = error.retry === false
  if (!isDefinite || exchange.snapshot.isComplete()) return error
  return cannotTell('an account can serve this request')
}

/** The error for a call whose only account does not support it. */
export function unsupported({ field, reason }: Exclusion): GatewayError {
  return new GatewayError('invalid_value', `No account supports this request. ${reason}`, {
    ...(field && { param: field }),
  })
}

/** The error if there are no other accounts than the known ones. */
function errorOfKnown(exchange: Understood, excluded: readonly Exclusion[]): GatewayError {
  if (excluded.length === 0 && exchange.model.name === '') {
    return new GatewayError('no_account_available', 'No account serves this endpoint.', {
      retry: false,
    })
  }
  const [first] = excluded
  if (first && excluded.every(({ field }) => field !== undefined)) return unsupported(first)
  if (excluded.length === 0 && !isDisabled(exchange)) {
    const action = actions.get(exchange.operation.capability ?? '')
    if (action && exchange.snapshot.serves(exchange.model.name)) return cannot(action, exchange)
    return new GatewayError(
      'model_not_found',
      `The model \`${exchange.model.requested}\` is not served on this endpoint.`,
      { param: 'model' },
    )
  }
  if (excluded.length > 0 && excluded.every(({ by }) => by === unfitModelRule)) {
    return new GatewayError(
      'misconfigured',
      `The gateway's configuration has a name for the model \`${exchange.model.requested}\` that its account cannot be asked for.`,
    )
  }
  const { requested } = exchange.model
  const what = requested === '' ? 'this request' : `the model \`${requested}\``
  const until = Math.min(...excluded.map((exclusion) => exclusion.untilMs ?? Infinity))
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1_000))
  const wait = { retryAfterMs: seconds * 1_000 }
  if (
    excluded.length > 0 &&
    excluded.every(({ status, untilMs }) => status === 429 && untilMs !== undefined)
  ) {
    return new GatewayError(
      'rate_limited',
      `Every account of ${what} is at its ${limitOf(excluded)}.`,
      wait,
    )
  }
  return new GatewayError(
    'no_account_available',
    `No account can serve ${what} at the moment${causeOf(excluded)}.`,
    Number.isFinite(until) ? wait : { retry: false },
  )
}

/** The evidence of an open circuit, if circuits hold all accounts back. It has numbers and statuses only. */
function causeOf(excluded: readonly Exclusion[]): string {
  const isFailing = excluded.length > 0 && excluded.every(({ kind }) => kind === 'circuit')
  return isFailing ? ` (${excluded[0]!.reason})` : ''
}

/** Which limits are reached. */
function limitOf(excluded: readonly Exclusion[]): string {
  const full = excluded.filter(({ by }) => by === slotRule).length
  if (full === 0) return 'rate limit'
  return full === excluded.length
    ? 'limit of calls at once'
    : 'rate limit or limit of calls at once'
}

/** The verb phrase for a capability in error messages. */
const actions = new Map([
  ['count-tokens', 'count tokens'],
  ['compact', 'compact histories'],
  ['embed', 'embed texts'],
  ['moderate', 'moderate texts'],
  ['rerank', 'rank documents'],
  ['video', 'make videos'],
  ['edit-image', 'edit images'],
  ['generate-image', 'generate images'],
  ['speak', 'speak texts'],
  ['transcribe', 'transcribe audio'],
  ['translate-audio', 'translate audio'],
  ['stored-file', 'store files'],
  ['batch', 'serve batches'],
  ['cache-content', 'cache contents'],
])

function cannot(action: string, exchange: Understood): GatewayError {
  const { model, operation } = exchange
  const sentence = `The model \`${model.requested}\` is served, but only by accounts that cannot ${action}.`
  const message = optIn.has(operation.capability ?? '')
    ? `${sentence} ${optInHint(exchange)}`
    : sentence
  return new GatewayError('invalid_value', message, { param: 'model' })
}

/** Capabilities that most presets do not assume: an account has to list the dialect in `speaks`. */
const optIn: ReadonlySet<string> = new Set([
  'embed',
  'moderate',
  'rerank',
  'video',
  'edit-image',
  'generate-image',
  'speak',
  'transcribe',
  'translate-audio',
  'stored-file',
  'batch',
  'cache-content',
])

function optInHint({ dialect }: Understood): string {
  return `If one of them can, the gateway's operator has to add \`${dialect.id}\` to its \`speaks\`.`
}

/** Whether a disabled account could serve the call. */
function isDisabled({ snapshot, model, dialect, operation }: Understood): boolean {
  return snapshot.isDisabled(model.name, dialect, operation.capability ?? '')
}
