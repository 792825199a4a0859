import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** What a subscription is about. */
export type LiveTopic =
  | 'ACCOUNTS'
  | 'ALIASES'
  | 'AUDIT'
  | 'CAPTURES'
  | 'CIRCUITS'
  | 'CONFIGURATION'
  | 'EXCHANGES'
  | 'JOBS'
  | 'KEYS'
  | 'LIMITS'
  | 'PRICES'
  | 'PULSE'
  | 'TEAMS'
  | 'TOKENS';

export type ChangesSubscriptionVariables = Exact<{
  topics: Array<LiveTopic> | LiveTopic;
}>;


export type ChangesSubscription = { live:
    | { __typename: 'AccountChanged' }
    | { __typename: 'AuditRecorded' }
    | { __typename: 'CircuitChanged' }
    | { __typename: 'ConfigurationChanged' }
    | { __typename: 'ExchangeBegan' }
    | { __typename: 'ExchangeChanged' }
    | { __typename: 'ExchangeEnded' }
    | { __typename: 'JobChanged' }
    | { __typename: 'Missed', count: number | null }
    | { __typename: 'PulseSample' }
    | { __typename: 'RecordsChanged' }
   };

export const Changes: Operation<ChangesSubscription, ChangesSubscriptionVariables> = { name: 'Changes', hash: '24ff29ba478895077aabe3f78915f14264f4b98c94b113f8937a9dd45621175d' }
