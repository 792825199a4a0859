import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DisableKeyInput = {
  id: string;
  /** For the audit record. */
  reason: string;
};

export type EnableKeyInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** The form of errors: the contract's, the same but for errors of accounts, or the provider's own. */
export type ErrorForm =
  | 'NATIVE'
  | 'SPEC'
  | 'UPSTREAM';

/** DISABLED: by an operator or the configuration, until it is enabled. REVOKED: for ever. DAMAGED: the record in the store cannot be read, so that the key is rejected. */
export type KeyState =
  | 'ACTIVE'
  | 'DAMAGED'
  | 'DISABLED'
  | 'EXPIRED'
  | 'REVOKED';

export type LabelInput = {
  name: string;
  value: string;
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

export type LimitSubjectType =
  | 'ACCOUNT'
  | 'GATEWAY'
  | 'KEY'
  | 'TEAM';

/** What happens to settings of a request that an account does not support. */
export type LossPolicy =
  | 'DROP'
  | 'NATIVE'
  | 'REJECT';

/** FILE: the configuration file, which the API does not change. */
export type ManagedBy =
  | 'FILE'
  | 'STORE';

export type RevokeKeyInput = {
  id: string;
  /** For the audit record. */
  reason: string;
};

export type RotateKeyInput = {
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  /** From 0 (the default) to 30 days. */
  graceSeconds?: number | null | undefined;
  id: string;
  /** For the audit record. Required without a grace period. */
  reason?: string | null | undefined;
};

export type UpdateKeyInput = {
  errors?: ErrorForm | null | undefined;
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  /** Absent: unchanged. null: never. A past time ends it at once. */
  expiresAt?: string | null | undefined;
  /** Whether its callers may see how calls are routed. */
  explain?: boolean | null | undefined;
  id: string;
  /** Words about it. Absent: unchanged. null: none. */
  labels?: Array<LabelInput> | null | undefined;
  losses?: LossPolicy | null | undefined;
  /** Names and patterns. Absent: unchanged. null: all models. */
  models?: Array<string> | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
  /** The team that it belongs to. Absent: unchanged. null: none. */
  team?: string | null | undefined;
};

export type KeyQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
}>;


export type KeyQuery = { key: { id: string, state: KeyState, stateReason: string | null, problem: string | null, team: string | null, models: Array<string> | null, managedBy: ManagedBy, explain: boolean, errors: ErrorForm | null, losses: LossPolicy | null, version: number | null, expiresAt: string | null, graceUntil: string | null, createdAt: string | null, createdBy: string | null, rotatedAt: string | null, revokedAt: string | null, lastUsedAt: string | null, labels: Array<{ name: string, value: string }> } | null, limits: Array<{ id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null }> | null, usage: { rows: Array<{ model: string | null, calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number }> } | null };

export type LimitPartsFragment = { id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null };

export type UsagePartsFragment = { calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number };

export type UpdateKeyMutationVariables = Exact<{
  input: UpdateKeyInput;
}>;


export type UpdateKeyMutation = { updateKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
    | { __typename: 'UpdateKeySuccess' }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null };

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

export type RotateKeyMutationVariables = Exact<{
  input: RotateKeyInput;
}>;


export type RotateKeyMutation = { rotateKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RotateKeySuccess', secret: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type DisableKeyMutationVariables = Exact<{
  input: DisableKeyInput;
}>;


export type DisableKeyMutation = { disableKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'DisableKeySuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type EnableKeyMutationVariables = Exact<{
  input: EnableKeyInput;
}>;


export type EnableKeyMutation = { enableKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'EnableKeySuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type RevokeKeyMutationVariables = Exact<{
  input: RevokeKeyInput;
}>;


export type RevokeKeyMutation = { revokeKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RevokeKeySuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Key: Operation<KeyQuery, KeyQueryVariables> = { name: 'Key', hash: '309bdfc6d05248dfa52e0ff3ba69a546a37e0d2db0f53206b63a9156de1e13fe' }

export const UpdateKey: Operation<UpdateKeyMutation, UpdateKeyMutationVariables> = { name: 'UpdateKey', hash: 'fa4f65e1687efdb10e4528df0ea0e14e99e614d2ea8cac7c23a027d0efa1916c' }

export const RotateKey: Operation<RotateKeyMutation, RotateKeyMutationVariables> = { name: 'RotateKey', hash: '9bfbcb92cc406d571e9bbb837f5aef3f67098d728725c37e29cfbf674b01616d' }

export const DisableKey: Operation<DisableKeyMutation, DisableKeyMutationVariables> = { name: 'DisableKey', hash: '24fc78ec716cf5832c70ba7399ddbd93d42b705377d523e4d6adf9d3a8804393' }

export const EnableKey: Operation<EnableKeyMutation, EnableKeyMutationVariables> = { name: 'EnableKey', hash: 'e345234326f709471b8454ddf5236eae784b682dc7abe097e0ca9b430064d76e' }

export const RevokeKey: Operation<RevokeKeyMutation, RevokeKeyMutationVariables> = { name: 'RevokeKey', hash: '31e7b47928d16631e4ce15be7760ffc1813833be259383425ac83c4bd79b1e43' }
