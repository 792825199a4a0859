import type { AdminBuilder } from '../builder.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { exchangeOutcomes } from '../processes/exchange-filter.ts'

/** The enumerations that several nouns share. The first call adds them to the schema. */
export const enumsOf = computedOnce((builder: AdminBuilder) => ({
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
