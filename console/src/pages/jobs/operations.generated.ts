import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CancelJobInput = {
  id: string;
  keyId?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

export type ForgetJobInput = {
  id: string;
  keyId?: string | null | undefined;
  /** For the audit record. */
  reason: string;
};

/** All that are given must apply. */
export type JobFilter = {
  accountId?: string | null | undefined;
  keyId?: string | null | undefined;
  kind?: JobKind | null | undefined;
  state?: JobState | null | undefined;
};

export type JobKind =
  /** A batch of `/v1/batches`. */
  | 'BATCH'
  /** A batch of `/v1/messages/batches`. */
  | 'MESSAGE_BATCH'
  /** A response of `/v1/responses` in the background, which is a job until its end. */
  | 'RESPONSE'
  | 'VIDEO';

/** The state of a job, as the account last reported it. */
export type JobState =
  /** A batch or a response that was cancelled; videos cannot be. */
  | 'CANCELLED'
  | 'COMPLETED'
  | 'FAILED'
  | 'IN_PROGRESS'
  | 'QUEUED';

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

export type RefreshJobInput = {
  id: string;
  keyId?: string | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type JobsQueryVariables = Exact<{
  filter?: JobFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type JobsQuery = { jobs: { edges: Array<{ node: { id: string, kind: JobKind, state: JobState, progress: number, model: string, dialect: string, accountId: string, keyId: string, upstreamId: string, createdAt: string, completedAt: string | null, expiresAt: string | null, counts: { total: number, completed: number, failed: number } | null, account: { id: string } | null, error: { code: string, message: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type JobPartsFragment = { id: string, kind: JobKind, state: JobState, progress: number, model: string, dialect: string, accountId: string, keyId: string, upstreamId: string, createdAt: string, completedAt: string | null, expiresAt: string | null, counts: { total: number, completed: number, failed: number } | null, account: { id: string } | null, error: { code: string, message: string } | null };

export type OneJobQueryVariables = Exact<{
  id: string;
}>;


export type OneJobQuery = { job: { id: string, kind: JobKind, state: JobState, progress: number, model: string, dialect: string, accountId: string, keyId: string, upstreamId: string, createdAt: string, completedAt: string | null, expiresAt: string | null, counts: { total: number, completed: number, failed: number } | null, account: { id: string } | null, error: { code: string, message: string } | null } | null };

export type JobsLiveSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type JobsLiveSubscription = { live:
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

export type RefreshJobMutationVariables = Exact<{
  input: RefreshJobInput;
}>;


export type RefreshJobMutation = { refreshJob:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RefreshJobSuccess', stale: boolean }
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

export type ForgetJobMutationVariables = Exact<{
  input: ForgetJobInput;
}>;


export type ForgetJobMutation = { forgetJob:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'ForgetJobSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type CancelJobMutationVariables = Exact<{
  input: CancelJobInput;
}>;


export type CancelJobMutation = { cancelJob:
    | { __typename: 'CancelJobSuccess' }
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Jobs: Operation<JobsQuery, JobsQueryVariables> = { name: 'Jobs', hash: '4a4147fab60964a2fc846ba7e940df78446014f1a95e56000ab856da904c2eb5' }

export const OneJob: Operation<OneJobQuery, OneJobQueryVariables> = { name: 'OneJob', hash: 'e2010e18986b239702897d45f05229142e223366414928cb9c105e885758001e' }

export const JobsLive: Operation<JobsLiveSubscription, JobsLiveSubscriptionVariables> = { name: 'JobsLive', hash: '345e14b19ee966926977dcb37b71f7d9d3eb8ce57354935cf0506351c6680639' }

export const RefreshJob: Operation<RefreshJobMutation, RefreshJobMutationVariables> = { name: 'RefreshJob', hash: '08405c7fb2bda88cdd2cddb4a4d090aa0bb2dd933b600d5701c273b1f3962c43' }

export const ForgetJob: Operation<ForgetJobMutation, ForgetJobMutationVariables> = { name: 'ForgetJob', hash: 'e2fae3ae4f6d973e10af330513eaeabb9803509435cad7ae005f33dec787b37f' }

export const CancelJob: Operation<CancelJobMutation, CancelJobMutationVariables> = { name: 'CancelJob', hash: 'eda7ef9b8490120b24b8a534e64eb33c78078831892c2e32e46cf4cf3303223a' }
