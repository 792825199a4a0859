import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** INCOMPLETE: the reply is whole and says that it was cut short. CANCELLED: nobody needed the reply any more. */
export type AttemptOutcome =
  | 'CANCELLED'
  | 'COMPLETED'
  | 'FAILED'
  | 'INCOMPLETE';

/** REPORTED: by the account. ESTIMATED: by the gateway. UNKNOWN: the account has worked, and has not said how much. NONE: the account has not worked, or works for nothing. */
export type AttemptUsage =
  | 'ESTIMATED'
  | 'NONE'
  | 'REPORTED'
  | 'UNKNOWN';

export type CancelExchangeInput = {
  /** The value of `x-request-id`. */
  id: string;
  /** For the audit record. */
  reason: string;
};

/** BROKEN: the client did not get the whole reply. */
export type ExchangeEnd =
  | 'BROKEN'
  | 'CLIENT_GONE'
  | 'COMPLETE';

/** A kind of failure after which another model may serve a call. */
export type FallbackKind =
  | 'BUDGET'
  | 'CONTEXT_LENGTH'
  | 'RATE_LIMITED'
  | 'REFUSED'
  | 'UNAVAILABLE';

/** The party that caused a failure. Only ACCOUNT counts against a circuit. */
export type Fault =
  | 'ACCOUNT'
  | 'CALLER'
  | 'CLIENT'
  | 'GATEWAY'
  | 'NONE';

export type CallQueryVariables = Exact<{
  id: string;
}>;


export type CallQuery = { exchange: { id: string, live: { ageMs: number, id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, model: string | null, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, on: FallbackKind, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> } | null, ended: { status: number, end: ExchangeEnd, error: string | null, endedAt: string, durationMs: number, inputTokens: number | null, outputTokens: number | null, cost: string | null, uncosted: string | null, usage: AttemptUsage | null, jobId: string | null, id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, model: string | null, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, on: FallbackKind, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> } | null, ledger: Array<{ attempt: number, at: string, accountId: string, dialect: string, requestedModel: string, model: string, upstreamModel: string, keyId: string, team: string | null, operation: string, outcome: AttemptOutcome, fault: Fault, error: string | null, httpStatus: number | null, ms: number, firstOutputMs: number | null, durationMs: number | null, isLast: boolean, end: ExchangeEnd | null, replyStatus: number | null, replyError: string | null, cost: string | null, uncosted: string | null, usage: AttemptUsage, tier: string | null, tokens: unknown }> } | null };

type CallFacts_EndedExchange_Fragment = { id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, model: string | null, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, on: FallbackKind, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> };

type CallFacts_LiveExchange_Fragment = { id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, model: string | null, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, on: FallbackKind, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> };

export type CallFactsFragment =
  | CallFacts_EndedExchange_Fragment
  | CallFacts_LiveExchange_Fragment
;

export type CancelCallMutationVariables = Exact<{
  input: CancelExchangeInput;
}>;


export type CancelCallMutation = { cancelExchange:
    | { __typename: 'CancelExchangeSuccess' }
    | { __typename: 'Conflict', message: string }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string };

type Refusal_Invalid_Fragment = { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> };

type Refusal_ManagedByFile_Fragment = { __typename: 'ManagedByFile', fix: string, message: string };

type Refusal_NotFound_Fragment = { __typename: 'NotFound', message: string };

type Refusal_StoreUnavailable_Fragment = { __typename: 'StoreUnavailable', message: string };

export type RefusalFragment =
  | Refusal_Conflict_Fragment
  | Refusal_Invalid_Fragment
  | Refusal_ManagedByFile_Fragment
  | Refusal_NotFound_Fragment
  | Refusal_StoreUnavailable_Fragment
;

export const Call: Operation<CallQuery, CallQueryVariables> = { name: 'Call', hash: '79af02d203967d6eb77fbfbdcc2bc7ef5ca3a6b6c971bec117b056fb1d099aa9' }

export const CancelCall: Operation<CancelCallMutation, CancelCallMutationVariables> = { name: 'CancelCall', hash: '4063c5948ec6df723d7cc3c05cab77fa5068c6fbf9a53c16faf70da707aa5c33' }
