import type { Operation } from '../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type GrantExtraInput = {
  /** For COST in USD. */
  amount: number | string;
  id: string;
  /** For the audit record. */
  reason: string;
  until: string;
};

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

/** What a limit counts. CONCURRENT: calls at once. */
export type LimitKind =
  | 'CONCURRENT'
  | 'COST'
  | 'INPUT_TOKENS'
  | 'OUTPUT_TOKENS'
  | 'REQUESTS'
  | 'TOKENS';

/** END_USER: each end user that requests name has the amount. */
export type LimitPer =
  | 'END_USER';

export type LimitSubjectInput = {
  /** Absent for the gateway. */
  id?: string | null | undefined;
  type: LimitSubjectType;
};

export type LimitSubjectType =
  | 'ACCOUNT'
  | 'GATEWAY'
  | 'KEY'
  | 'TEAM';

export type RemoveLimitInput = {
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  id: string;
  /** For the audit record. */
  reason: string;
};

export type ResetLimitInput = {
  id: string;
  /** For the audit record. */
  reason: string;
};

export type SetLimitInput = {
  /** Absent: REFUSE. */
  action?: LimitAction | null | undefined;
  /** Shares of a budget. Absent: 0.8 and 1. */
  alerts?: Array<number> | null | undefined;
  /** The most in a window; for COST in USD. 0 refuses every call. */
  amount: number | string;
  /** true: checks the input, shows what is spent already, and changes nothing. */
  dryRun?: boolean | null | undefined;
  /** The version that was read; 0: the limit is new. Absent: any. */
  expectedVersion?: number | null | undefined;
  kind: LimitKind;
  /** Names and patterns. Absent: all. */
  models?: Array<string> | null | undefined;
  /** Absent: all of the subject together. */
  per?: LimitPer | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
  /** Absent: false. */
  strict?: boolean | null | undefined;
  subject: LimitSubjectInput;
  /** 1s, 1m, 1h, 12h, 30d, day, week, month or total. Absent: total for COST, otherwise 1m. */
  window?: string | null | undefined;
  /** The time zone of days, weeks and months. Absent: UTC. */
  zone?: string | null | undefined;
};

export type SetLimitMutationVariables = Exact<{
  input: SetLimitInput;
}>;


export type SetLimitMutation = { setLimit:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'SetLimitSuccess', warnings: Array<string> }
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

export type RemoveLimitMutationVariables = Exact<{
  input: RemoveLimitInput;
}>;


export type RemoveLimitMutation = { removeLimit:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RemoveLimitSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type ResetLimitMutationVariables = Exact<{
  input: ResetLimitInput;
}>;


export type ResetLimitMutation = { resetLimit:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'ResetLimitSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type GrantExtraMutationVariables = Exact<{
  input: GrantExtraInput;
}>;


export type GrantExtraMutation = { grantExtra:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'GrantExtraSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const SetLimit: Operation<SetLimitMutation, SetLimitMutationVariables> = { name: 'SetLimit', hash: '67b5354edf3b20b14204efec3a4e266c1d511c93b85f6da608da3def8ee6688b' }

export const RemoveLimit: Operation<RemoveLimitMutation, RemoveLimitMutationVariables> = { name: 'RemoveLimit', hash: '42f05eb653bc3ce77db7a1c580c85e7c57418625053d1ffba62777cc29971967' }

export const ResetLimit: Operation<ResetLimitMutation, ResetLimitMutationVariables> = { name: 'ResetLimit', hash: '975f35e03fad20595a5eb6f0e224e377068373914214ff46c0d376d303d9d2dc' }

export const GrantExtra: Operation<GrantExtraMutation, GrantExtraMutationVariables> = { name: 'GrantExtra', hash: 'e23e42345b236b9de4d10d824ed5d9b4d525fecff6020e1b1b0f176d2cd2c24d' }
