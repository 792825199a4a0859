import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** SOME: an exclusion concerns some of its models, dialects or keys, or lets one call at a time pass. A full account serves all that it can. */
export type AccountServes =
  | 'ALL'
  | 'NOTHING'
  | 'SOME';

/** REFUSED: its credential, or it has no credit. COOLING: it has asked for a pause, or its credential cannot be fetched at the moment. CIRCUIT_HALF_OPEN: one call at a time tries it. EXCLUDED: by a plugin. FULL: at its most calls at once. INVALID: no call can use it, see `problems`. */
export type AccountState =
  | 'CIRCUIT_HALF_OPEN'
  | 'CIRCUIT_OPEN'
  | 'COOLING'
  | 'DISABLED'
  | 'ENABLED'
  | 'EXCLUDED'
  | 'FULL'
  | 'INVALID'
  | 'REFUSED';

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

/** REFUSED: by the account. COOLING: the account has asked for a pause, or its credential cannot be fetched at the moment. OTHER: a limit of calls at once, or a plugin, see `by`. */
export type ExclusionKind =
  | 'CIRCUIT'
  | 'COOLING'
  | 'OTHER'
  | 'REFUSED';

/** The party that caused a failure. Only ACCOUNT counts against a circuit. */
export type Fault =
  | 'ACCOUNT'
  | 'CALLER'
  | 'CLIENT'
  | 'GATEWAY'
  | 'NONE';

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

/** NO_USAGE: nothing is known of its use. INVALID_USAGE: its counts contradict each other. NO_PRICE: the model has no price. NO_TIER, NO_RATE: the price lacks the service tier, or the rate of something that was used. */
export type UnknownCost =
  | 'INVALID_USAGE'
  | 'NO_PRICE'
  | 'NO_RATE'
  | 'NO_TIER'
  | 'NO_USAGE';

export type CallQueryVariables = Exact<{
  id: string;
}>;


export type CallQuery = { configuration: { traceUrl: Array<{ value: unknown }> }, exchange: { id: string, live: { ageMs: number, id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null, account: { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> } | null, ended: { status: number, end: ExchangeEnd, error: string | null, durationMs: number, inputTokens: number | null, outputTokens: number | null, cost: string | null, uncosted: UnknownCost | null, usage: AttemptUsage | null, jobId: string | null, resourceId: string | null, id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null, account: { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> } | null, ledger: Array<{ attempt: number, at: string, accountId: string, dialect: string, requestedModel: string, upstreamModel: string, keyId: string, outcome: AttemptOutcome, fault: Fault, error: string | null, ms: number, isLast: boolean, end: ExchangeEnd | null, replyStatus: number | null, replyError: string | null, cost: string | null, uncosted: UnknownCost | null, usage: AttemptUsage, tier: string | null, tokens: unknown }> } | null };

type CallFacts_EndedExchange_Fragment = { id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null, account: { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> };

type CallFacts_LiveExchange_Fragment = { id: string, startedAt: string, model: string | null, operation: string | null, dialect: string | null, stream: boolean, keyId: string | null, team: string | null, accountId: string | null, processId: string, firstOutputMs: number | null, bytesIn: number, bytesOut: number, traceId: string | null, attemptCount: number, excludedOmitted: number, lossesOmitted: number, attempts: Array<{ number: number, accountId: string, dialect: string, native: boolean, upstreamModel: string | null, reusedConnection: boolean, startedMs: number | null, firstByteMs: number | null, endedMs: number | null, status: number | null, outcome: AttemptOutcome | null, fault: Fault | null, error: string | null, account: { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } | null }>, route: { requested: string | null, resolved: string, rule: string | null, pinned: boolean, alias: boolean, fallbacks: Array<{ model: string, next: string, error: string }> } | null, excluded: Array<{ accountId: string, by: string, reason: string, status: number | null, until: string | null, field: string | null }>, losses: Array<{ field: string, reason: string }> };

export type CallFactsFragment =
  | CallFacts_EndedExchange_Fragment
  | CallFacts_LiveExchange_Fragment
;

export type AccountStateFragment = { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> };

export type CancelCallMutationVariables = Exact<{
  input: CancelExchangeInput;
}>;


export type CancelCallMutation = { cancelExchange:
    | { __typename: 'CancelExchangeSuccess' }
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null };

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

export type RatePartsFragment = { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null };

export const Call: Operation<CallQuery, CallQueryVariables> = { name: 'Call', hash: '4fa476cf3919a20f83efd2c81673010fa3ab19ea89b695b9648875e68b986c7c' }

export const CancelCall: Operation<CancelCallMutation, CancelCallMutationVariables> = { name: 'CancelCall', hash: '1dbf95c817513aaa56ec5879227351b0667369764abcd9fbfe3f3c55930293da' }
