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
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
    | { __typename: 'UpdateKeySuccess' }
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

export type RotateKeyMutationVariables = Exact<{
  input: RotateKeyInput;
}>;


export type RotateKeyMutation = { rotateKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
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
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
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
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
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
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RevokeKeySuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Key: Operation<KeyQuery, KeyQueryVariables> = { name: 'Key', hash: '309bdfc6d05248dfa52e0ff3ba69a546a37e0d2db0f53206b63a9156de1e13fe' }

export const UpdateKey: Operation<UpdateKeyMutation, UpdateKeyMutationVariables> = { name: 'UpdateKey', hash: 'ce01449fc0b635f05002fc6035baa1156fb73efa7a057c342c9fd497e99dca26' }

export const RotateKey: Operation<RotateKeyMutation, RotateKeyMutationVariables> = { name: 'RotateKey', hash: 'ed63767a9354ee396510f03516c3dbaf7a9d16d67b812bc6e92ad70ad29d6736' }

export const DisableKey: Operation<DisableKeyMutation, DisableKeyMutationVariables> = { name: 'DisableKey', hash: 'c209dfe0f6470c36e8201a5437a67d0fc75bc3f5b95a9663aa306895ee187152' }

export const EnableKey: Operation<EnableKeyMutation, EnableKeyMutationVariables> = { name: 'EnableKey', hash: '90ca71a64bb9babf2588eeb7bdf86c9244d30a2a1de0554bd38abc6a99527113' }

export const RevokeKey: Operation<RevokeKeyMutation, RevokeKeyMutationVariables> = { name: 'RevokeKey', hash: '12925afc622e7c8828df27efbb112f1a19a60439cbc7a6ec91961a67ce137366' }
