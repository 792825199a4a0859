import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateKeyInput = {
  errors?: ErrorForm | null | undefined;
  /** Absent or null: never. A past time ends it at once. */
  expiresAt?: string | null | undefined;
  /** Whether its callers may see how calls are routed. */
  explain?: boolean | null | undefined;
  /** An id that no key has had: ids are never used again, not after a revocation. */
  id: string;
  /** Words about it. Absent or null: none. */
  labels?: Array<LabelInput> | null | undefined;
  losses?: LossPolicy | null | undefined;
  /** Names and patterns. Absent or null: all models. */
  models?: Array<string> | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
  /** The team that it belongs to. Absent or null: none. */
  team?: string | null | undefined;
};

/** The form of errors: the contract's, the same but for errors of accounts, or the provider's own. */
export type ErrorForm =
  | 'NATIVE'
  | 'SPEC'
  | 'UPSTREAM';

export type LabelInput = {
  name: string;
  value: string;
};

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

/** What happens to settings of a request that an account does not support. */
export type LossPolicy =
  | 'DROP'
  | 'NATIVE'
  | 'REJECT';

export type RevokeKeyInput = {
  id: string;
  /** For the audit record. */
  reason: string;
};

export type PlaygroundQueryVariables = Exact<{ [key: string]: never; }>;


export type PlaygroundQuery = { explainable: Array<{ dialect: string }>, models: { edges: Array<{ node: { name: string } }> }, teams: { edges: Array<{ node: { id: string } }> } };

export type CreatePlaygroundKeyMutationVariables = Exact<{
  input: CreateKeyInput;
}>;


export type CreatePlaygroundKeyMutation = { createKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateKeySuccess', secret: string, key: { id: string, expiresAt: string | null } | null }
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

export type RevokePlaygroundKeyMutationVariables = Exact<{
  input: RevokeKeyInput;
}>;


export type RevokePlaygroundKeyMutation = { revokeKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RevokeKeySuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Playground: Operation<PlaygroundQuery, PlaygroundQueryVariables> = { name: 'Playground', hash: '3e8a0e72ab904009fd906deede9dda39c68b421f1ff4d58d1e9b73e6c858974c' }

export const CreatePlaygroundKey: Operation<CreatePlaygroundKeyMutation, CreatePlaygroundKeyMutationVariables> = { name: 'CreatePlaygroundKey', hash: '6f7f7f69d4c67d7be18a7e7ef5d55bc9f70a0365bd3f7ef414fd41b821b316bb' }

export const RevokePlaygroundKey: Operation<RevokePlaygroundKeyMutation, RevokePlaygroundKeyMutationVariables> = { name: 'RevokePlaygroundKey', hash: 'e9932f20bc1a060ae7025860bf73363b2ac9ad92051bb736485c83767a3bdb80' }
