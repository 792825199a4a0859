import { GatewayError } from '../../src/contract/errors.ts'
import type { Limit } from '../../src/contract/quota.ts'
import { formatUsd } from '../../src/lib/usd.ts'
import type { MeterAnswer, MeterState } from '../../src/stores/meter.ts'

type Refusal = Extract<MeterAnswer, { readonly admitted: false }>

/** A limit that has refused a call, with its state. */
interface RefusedBy extends Pick<Refusal, 'why' | 'retryAfterMs'> {
  readonly limit: Limit
  /** The amount of the limit, with the extra amounts that are granted for a time. */
  readonly amount: number
  readonly state: MeterState | undefined
}

/** After so long, calls in flight have probably ended. */
const othersEndMs = 1_000

/** The error of a call that a limit refuses. No message names a key or an account. */
export function refusal(refused: RefusedBy): GatewayError {
  const { limit, why, retryAfterMs } = refused
  const details = detailOf(refused)
  const text = `${textOf(refused)} of ${owners[limit.subject.type]}`
  switch (why) {
    case 'rate': {
      const message = `The limit of ${text} is reached.`
      // A rate of 0 never lets a call through.
      if (retryAfterMs === undefined)
        return new GatewayError('rate_limited', message, { retry: false, details })
      return new GatewayError('rate_limited', message, { ...waiting(retryAfterMs), details })
    }
    case 'concurrent': {
      const message = `The limit of ${text} is reached.`
      if (refused.amount === 0)
        return new GatewayError('rate_limited', message, { retry: false, details })
      return new GatewayError('rate_limited', message, { ...waiting(othersEndMs), details })
    }
    case 'held':
      return new GatewayError(
        'budget_in_use',
        `The rest of the budget of ${text} is held by calls that still run.`,
        { ...waiting(othersEndMs), details },
      )
    case 'spent': {
      const message =
        (refused.state?.remaining ?? 0) > 0
          ? `The rest of the budget of ${text} does not cover this call.`
          : `The budget of ${text} is spent.`
      const begins = beginsAgain(refused)
      // Also of a budget that begins again within a minute, no SDK sends the call again by itself.
      if (!begins) return new GatewayError('budget_exceeded', message, { details })
      return new GatewayError('budget_exceeded', `${message} It begins again at ${begins.at}.`, {
        ...waiting(begins.inMs),
        retry: false,
        details,
      })
    }
  }
}

/** When the whole amount of a spent budget is there again. `undefined`: never, or there is no amount. */
function beginsAgain({ amount, retryAfterMs, state }: RefusedBy) {
  if (amount === 0 || retryAfterMs === undefined || state?.resetsAt === undefined) return undefined
  return { at: new Date(state.resetsAt).toISOString(), inMs: retryAfterMs }
}

function waiting(retryAfterMs: number) {
  return { retryAfterMs, headers: { 'retry-after-ms': String(Math.max(1, retryAfterMs)) } }
}

const owners: Readonly<Record<Limit['subject']['type'], string>> = {
  key: 'this API key',
  team: 'the team of this API key',
  gateway: 'this gateway',
  account: 'an account',
}

const nouns: Readonly<Record<Limit['kind'], string>> = {
  requests: 'requests',
  tokens: 'tokens',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  cost: 'USD',
  concurrent: 'requests at once',
}

function textOf({ limit, amount }: Pick<RefusedBy, 'limit' | 'amount'>): string {
  const { kind, window, per } = limit
  const shown = kind === 'cost' ? formatUsd(amount) : String(amount)
  const time = window === undefined ? '' : window === 'total' ? ' in total' : ` per ${window}`
  return `${shown} ${nouns[kind]}${time}${per ? ' for this end user' : ''}`
}

/**
 * A limit and its state as clients read them. `limit` is its id without the id of its subject. What all others have left
 * of a limit of the gateway is no business of a key.
 */
function detailOf({ limit, amount, state }: RefusedBy): Readonly<Record<string, unknown>> {
  const { kind, window = null, subject, id } = limit
  return {
    limit: `${subject.type}${id.slice(subject.type.length + 1 + subject.id.length)}`,
    subject: subject.type,
    kind,
    window,
    amount: shownAmount(kind, amount),
    ...(subject.type !== 'gateway' && {
      remaining: shownAmount(kind, state?.remaining ?? 0),
      resetsAt: state?.resetsAt === undefined ? null : new Date(state.resetsAt).toISOString(),
    }),
  }
}

/** An amount for clients: an amount of `cost` is USD as a decimal text. */
export function shownAmount(kind: Limit['kind'], amount: number): number | string {
  return kind === 'cost' ? formatUsd(amount) : amount
}

/** The error of a call of a model without a price, where a budget of money limits it. */
export function unpriced(model: string): GatewayError {
  if (model === '') {
    const message = 'Calls of this endpoint have no price, so that a budget cannot count them.'
    return new GatewayError('model_unpriced', message)
  }
  return new GatewayError(
    'model_unpriced',
    `The model ${JSON.stringify(model)} has no price, so that a budget cannot count its calls.`,
    { param: 'model' },
  )
}

/** The error of a call while the store is away and this process does not know the spent amount either. */
export function unavailable(): GatewayError {
  return new GatewayError('limits_unavailable', 'Limits cannot be looked up at the moment.', {
    retryAfterMs: 1_000,
    headers: { 'x-dragoman-stale': 'limits' },
  })
}
