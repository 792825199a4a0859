import type { AdminBuilder } from '../builder.ts'
import type { Spend } from '../../contract/spend.ts'
import { roles } from '../../contract/roles.ts'
import { accountLacks } from '../../generate/account-lacks.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { exchangeOutcomes } from '../processes/exchange-filter.ts'

/** The values of an enumeration by their names, which are the same words in upper case. */
export function inUpperCase<Value extends string>(values: readonly Value[]) {
  return Object.fromEntries(
    values.map((value) => [value.toUpperCase().replaceAll('-', '_'), { value }]),
  ) as Record<string, { value: Value }>
}

/** A text of a record that may be of a later version: null unless it is one of the values. */
export function knownIn<Value extends string>(
  values: readonly Value[],
  text: string | null | undefined,
): Value | null {
  return values.find((one) => one === text) ?? null
}

/** Why the cost of an attempt is unknown. */
export const unknownCosts = [
  'no_usage',
  'invalid_usage',
  'no_tier',
  'no_rate',
  'no_price',
] as const satisfies readonly Spend['cost'][]

/** The enumerations that several nouns share. The first call adds them to the schema. */
export const enumsOf = computedOnce((builder: AdminBuilder) => ({
  role: builder.enumType('Role', {
    description:
      'VIEWER reads. OPERATOR also steers what runs. ADMIN also changes keys, accounts and tokens.',
    values: inUpperCase(roles),
  }),
  managedBy: builder.enumType('ManagedBy', {
    description: 'FILE: the configuration file, which the API does not change.',
    values: ['FILE', 'STORE'] as const,
  }),
  losses: builder.enumType('LossPolicy', {
    description: 'What happens to settings of a request that an account does not support.',
    values: {
      DROP: { value: 'drop' },
      NATIVE: { value: 'native' },
      REJECT: { value: 'reject' },
    } as const,
  }),
  errors: builder.enumType('ErrorForm', {
    description:
      "The form of errors: the contract's, the same but for errors of accounts, or the provider's own.",
    values: {
      SPEC: { value: 'spec' },
      UPSTREAM: { value: 'upstream' },
      NATIVE: { value: 'native' },
    } as const,
  }),
  exchangeEnd: builder.enumType('ExchangeEnd', {
    description: 'BROKEN: the client did not get the whole reply.',
    values: {
      COMPLETE: { value: 'complete' },
      CLIENT_GONE: { value: 'client_gone' },
      BROKEN: { value: 'broken' },
    } as const,
  }),
  exchangeOutcome: builder.enumType('ExchangeOutcome', {
    description:
      'SERVER_ERROR: a status of 500 or above. BROKEN: the client did not get the whole reply. RETRIED: more than one attempt.',
    values: exchangeOutcomes,
  }),
  attemptOutcome: builder.enumType('AttemptOutcome', {
    description:
      'INCOMPLETE: the reply is whole and says that it was cut short. CANCELLED: nobody needed the reply any more.',
    values: {
      COMPLETED: { value: 'completed' },
      INCOMPLETE: { value: 'incomplete' },
      FAILED: { value: 'failed' },
      CANCELLED: { value: 'cancelled' },
    } as const,
  }),
  attemptUsage: builder.enumType('AttemptUsage', {
    description:
      'REPORTED: by the account. ESTIMATED: by the gateway. UNKNOWN: the account has worked, and has not said how much. NONE: the account has not worked, or works for nothing.',
    values: {
      REPORTED: { value: 'reported' },
      ESTIMATED: { value: 'estimated' },
      UNKNOWN: { value: 'unknown' },
      NONE: { value: 'none' },
    } as const,
  }),
  unknownCost: builder.enumType('UnknownCost', {
    description:
      'NO_USAGE: nothing is known of its use. INVALID_USAGE: its counts contradict each other. NO_PRICE: the model has no price. NO_TIER, NO_RATE: the price lacks the service tier, or the rate of something that was used.',
    values: inUpperCase(unknownCosts),
  }),
  fault: builder.enumType('Fault', {
    description: 'The party that caused a failure. Only ACCOUNT counts against a circuit.',
    values: {
      ACCOUNT: { value: 'account' },
      CALLER: { value: 'caller' },
      CLIENT: { value: 'client' },
      GATEWAY: { value: 'gateway' },
      NONE: { value: 'none' },
    } as const,
  }),
  replyModel: builder.enumType('ReplyModel', {
    description:
      'The model that replies name: the model of the account, or the model of the client.',
    values: { ACCOUNT: { value: 'account' }, CLIENT: { value: 'client' } } as const,
  }),
  outputLimitField: builder.enumType('OutputLimitField', {
    description: 'The field of a chat request with the limit of output tokens.',
    values: inUpperCase(['max_completion_tokens', 'max_tokens'] as const),
  }),
  accountLack: builder.enumType('AccountLack', {
    description:
      'What the server of an account may lack: `accounts[].lacks` of the configuration, in upper case.',
    values: inUpperCase(accountLacks),
  }),
  strategy: builder.enumType('Strategy', {
    description:
      'How to choose among accounts of the same rank and priority: by the calls in flight, by the time to the first output, or by the price.',
    values: {
      LEAST_BUSY: { value: 'least-busy' },
      LATENCY: { value: 'latency' },
      COST: { value: 'cost' },
    } as const,
  }),
  fallbackKind: builder.enumType('FallbackKind', {
    description: 'A kind of failure after which another model may serve a call.',
    values: {
      UNAVAILABLE: { value: 'unavailable' },
      RATE_LIMITED: { value: 'rate_limited' },
      CONTEXT_LENGTH: { value: 'context_length' },
      REFUSED: { value: 'refused' },
      BUDGET: { value: 'budget' },
    } as const,
  }),
}))
