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
  /** Of days, weeks and months. Absent: UTC. */
  zone?: string | null | undefined;
};

export type SetLimitMutationVariables = Exact<{
  input: SetLimitInput;
}>;


export type SetLimitMutation = { setLimit:
    | { __typename: 'Conflict', message: string }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'SetLimitSuccess', warnings: Array<string> }
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

export type RemoveLimitMutationVariables = Exact<{
  input: RemoveLimitInput;
}>;


export type RemoveLimitMutation = { removeLimit:
    | { __typename: 'Conflict', message: string }
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
    | { __typename: 'Conflict', message: string }
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
    | { __typename: 'Conflict', message: string }
    | { __typename: 'GrantExtraSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const SetLimit: Operation<SetLimitMutation, SetLimitMutationVariables> = { name: 'SetLimit', hash: '1d4dfc19d06a2ffc023d0adf263a78af6fe0043342a8b32224f3bdb2a495ef07' }

export const RemoveLimit: Operation<RemoveLimitMutation, RemoveLimitMutationVariables> = { name: 'RemoveLimit', hash: '3b5f51b582000c83fae363033177438ac6d8918cf331d590862c2649c75caac5' }

export const ResetLimit: Operation<ResetLimitMutation, ResetLimitMutationVariables> = { name: 'ResetLimit', hash: 'caf221f39ff65b00589d11577a05e2840e55c2018f8dc24765e50ea9b63d8b9b' }

export const GrantExtra: Operation<GrantExtraMutation, GrantExtraMutationVariables> = { name: 'GrantExtra', hash: '2c2eacfc0c4318e6bd724a79b6f17330b5dd3d6c0141cbec74e8554b48d63e00' }
