import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** BROKEN: the client did not get the whole reply. */
export type ExchangeEnd =
  | 'BROKEN'
  | 'CLIENT_GONE'
  | 'COMPLETE';

/** All members that are given must apply. */
export type ExchangeFilter = {
  accountId?: string | null | undefined;
  dialect?: string | null | undefined;
  /** The first moment of their beginning. */
  from?: string | null | undefined;
  keyId?: string | null | undefined;
  /** The least duration, or age. */
  minMs?: number | null | undefined;
  /** As the client wrote it. */
  model?: string | null | undefined;
  /** Any of the outcomes. Exchanges in flight have none but RETRIED. */
  outcome?: Array<ExchangeOutcome> | null | undefined;
  team?: string | null | undefined;
  /** The moment behind the last. */
  to?: string | null | undefined;
  /** The account of any attempt. */
  triedAccountId?: string | null | undefined;
};

/** SERVER_ERROR: a status of 500 or above. BROKEN: the client did not get the whole reply. RETRIED: more than one attempt. */
export type ExchangeOutcome =
  | 'BROKEN'
  | 'CLIENT_ERROR'
  | 'CLIENT_GONE'
  | 'RETRIED'
  | 'SERVER_ERROR';

/** RECEIVING: its request or its key is still being read. ROUTING: it has no account yet, or looks for another one. WAITING: an account has it, and the client has no output. REPLYING: the client gets output. */
export type ExchangeStage =
  | 'RECEIVING'
  | 'REPLYING'
  | 'ROUTING'
  | 'WAITING';

/** All members that are given must apply. Events without a key, account, model or dialect pass. */
export type LiveFilter = {
  accountId?: string | null | undefined;
  dialect?: string | null | undefined;
  keyId?: string | null | undefined;
  model?: string | null | undefined;
};

export type CallsInFlightQueryVariables = Exact<{
  filter?: ExchangeFilter | null | undefined;
}>;


export type CallsInFlightQuery = { exchanges: Array<{ id: string, ageMs: number, model: string | null, dialect: string | null, stream: boolean, stage: ExchangeStage | null, attemptCount: number, accountId: string | null, keyId: string | null, firstOutputMs: number | null, outputTokens: number | null }> };

export type CallsEndedQueryVariables = Exact<{
  filter?: ExchangeFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type CallsEndedQuery = { recent: { edges: Array<{ node: { id: string, status: number, end: ExchangeEnd, error: string | null, endedAt: string, durationMs: number, firstOutputMs: number | null, model: string | null, dialect: string | null, keyId: string | null, accountId: string | null, attemptCount: number, inputTokens: number | null, outputTokens: number | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type EndedCallPartsFragment = { id: string, status: number, end: ExchangeEnd, error: string | null, endedAt: string, durationMs: number, firstOutputMs: number | null, model: string | null, dialect: string | null, keyId: string | null, accountId: string | null, attemptCount: number, inputTokens: number | null, outputTokens: number | null };

export type CallsNewerQueryVariables = Exact<{
  filter?: ExchangeFilter | null | undefined;
}>;


export type CallsNewerQuery = { recent: { edges: Array<{ node: { id: string } }> } };

export type CallsLiveSubscriptionVariables = Exact<{
  filter?: LiveFilter | null | undefined;
}>;


export type CallsLiveSubscription = { live:
    | { __typename: 'AccountChanged' }
    | { __typename: 'AuditRecorded' }
    | { __typename: 'CircuitChanged' }
    | { __typename: 'ConfigurationChanged' }
    | { __typename: 'ExchangeBegan' }
    | { __typename: 'ExchangeChanged' }
    | { __typename: 'ExchangeEnded' }
    | { __typename: 'JobChanged' }
    | { __typename: 'Missed' }
    | { __typename: 'PulseSample' }
    | { __typename: 'RecordsChanged' }
   };

export const CallsInFlight: Operation<CallsInFlightQuery, CallsInFlightQueryVariables> = { name: 'CallsInFlight', hash: '2402cced4e55106ae8b2660376023bd8daa1bb26e2694a6b816e83841e797e44' }

export const CallsEnded: Operation<CallsEndedQuery, CallsEndedQueryVariables> = { name: 'CallsEnded', hash: '479a23eb4e05000aea7faeb64a73f688e15f7de3c29370071825917a90bf6668' }

export const CallsNewer: Operation<CallsNewerQuery, CallsNewerQueryVariables> = { name: 'CallsNewer', hash: '8e3a89e66f106ddfcb909de3a737492b12232432913d87a3a9ac79274f3f4793' }

export const CallsLive: Operation<CallsLiveSubscription, CallsLiveSubscriptionVariables> = { name: 'CallsLive', hash: '6bf12219b9a863514cd551f1a64aeb838ee31428adeaf970ee0e5660f07a7685' }
