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
  /** It is never used again, not after a revocation. */
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


export type KeysQuery = { keys: { edges: Array<{ node: { id: string, state: KeyState, stateReason: string | null, problem: string | null, team: string | null, models: Array<string> | null, managedBy: ManagedBy, expiresAt: string | null, lastUsedAt: string | null, createdAt: string | null, labels: Array<{ name: string, value: string }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateKeyMutationVariables = Exact<{
  input: CreateKeyInput;
}>;


export type CreateKeyMutation = { createKey:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateKeySuccess', secret: string, key: { id: string } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

type Refusal_Conflict_Fragment = { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null };

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

export const Keys: Operation<KeysQuery, KeysQueryVariables> = { name: 'Keys', hash: 'b6ff2c89dbf89743ba52abcf4e67460ba545adc3c0b5467d17f0db5bd5378bfe' }

export const CreateKey: Operation<CreateKeyMutation, CreateKeyMutationVariables> = { name: 'CreateKey', hash: 'e5c159592179742607940e95da63535514ac2f5e7801ee8ba3f9359c8dd38221' }
