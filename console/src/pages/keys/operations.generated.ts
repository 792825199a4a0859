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

export type KeyFilter = {
  /** The keys with a label of this value. */
  label?: LabelInput | null | undefined;
  /** The keys with this text in their id or in a label, as `name=value`, whatever the case of its letters. */
  search?: string | null | undefined;
  state?: KeyState | null | undefined;
  /** The keys of a team. */
  team?: string | null | undefined;
};

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

export type KeysQueryVariables = Exact<{
  filter?: KeyFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type KeysQuery = { keys: { countsByState: Array<{ state: KeyState, count: number }>, edges: Array<{ node: { id: string, state: KeyState, stateReason: string | null, problem: string | null, team: string | null, models: Array<string> | null, expiresAt: string | null, lastUsedAt: string | null, labels: Array<{ name: string, value: string }>, limits: Array<{ id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null }> | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type LimitPartsFragment = { id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null };

export type CreateKeyMutationVariables = Exact<{
  input: CreateKeyInput;
}>;


export type CreateKeyMutation = { createKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateKeySuccess', secret: string, key: { id: string } | null }
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

export const Keys: Operation<KeysQuery, KeysQueryVariables> = { name: 'Keys', hash: '32dcb40448b1010037c73833de8639c79d110123f68549b672b8e07bdcc15b57' }

export const CreateKey: Operation<CreateKeyMutation, CreateKeyMutationVariables> = { name: 'CreateKey', hash: 'fb26d9d144d7448b12cc5ed6bbea4be723f76efee0679949d7e56066d7b37cde' }
