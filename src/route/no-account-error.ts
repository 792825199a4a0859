import type { Exclusion } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'

/** The error of a call that nobody can serve just now. */
export function noAccountError(exchange: Understood, excluded: readonly Exclusion[]): GatewayError {
  if (excluded.length === 0 && exchange.model.name === '') {
    return new GatewayError('no_account_available', 'No account serves this endpoint.', {
      retry: false,
    })
  }
  const untold = excluded.find(({ field }) => field !== undefined)
  if (untold && excluded.every(({ field }) => field !== undefined)) {
    return new GatewayError('invalid_value', `No account can be asked for this. ${untold.reason}`, {
      ...(untold.field && { param: untold.field }),
    })
  }
  if (excluded.length === 0 && !isSwitchedOff(exchange)) {
    const deed = deeds.get(exchange.operation.capability ?? '')
    if (deed && exchange.snapshot.serves(exchange.model.name)) return cannot(deed, exchange)
    return new GatewayError(
      'model_not_found',
      `The model \`${exchange.model.requested}\` is not served on this endpoint.`,
      { param: 'model' },
    )
  }
  const until = Math.min(...excluded.map((exclusion) => exclusion.untilMs ?? Infinity))
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1_000))
  const wait = { 'retry-after': String(seconds) }
  if (
    excluded.length > 0 &&
    excluded.every(({ status, untilMs }) => status === 429 && untilMs !== undefined)
  ) {
    return new GatewayError(
      'rate_limited',
      `Every account of the model \`${exchange.model.requested}\` is at its rate limit.`,
      { headers: wait },
    )
  }
  return new GatewayError(
    'no_account_available',
    `No account can serve the model \`${exchange.model.requested}\` at the moment.`,
    Number.isFinite(until) ? { headers: wait } : { retry: false },
  )
}

/** What some accounts cannot do that serve a model. */
const deeds = new Map([
  ['count-tokens', 'count tokens'],
  ['compact', 'compact histories'],
  ['video', 'make videos'],
  ['edit-image', 'edit images'],
  ['generate-image', 'generate images'],
])

function cannot(deed: string, exchange: Understood): GatewayError {
  const { model, operation } = exchange
  const sentence = `The model \`${model.requested}\` is served, but only by accounts that cannot ${deed}.`
  const message = ofMedia.has(operation.capability ?? '')
    ? `${sentence} ${howTo(exchange)}`
    : sentence
  return new GatewayError('invalid_value', message, { param: 'model' })
}

/** What no provider of chats is taken to do unless its account says so. */
const ofMedia: ReadonlySet<string> = new Set(['video', 'edit-image', 'generate-image'])

function howTo({ dialect }: Understood): string {
  return `If one of them can, the gateway's operator has to add \`${dialect.id}\` to its \`speaks\`.`
}

/** Whether there is an account for it that an operator has disabled. */
function isSwitchedOff({ snapshot, model, dialect, operation }: Understood): boolean {
  return snapshot.isSwitchedOff(model.name, dialect, operation.capability ?? '')
}
