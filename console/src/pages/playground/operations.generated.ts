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

export type LabelInput = {
  name: string;
  value: string;
};

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


export type PlaygroundQuery = { models: { edges: Array<{ node: { name: string } }>, pageInfo: { hasNextPage: boolean } }, teams: { edges: Array<{ node: { id: string } }>, pageInfo: { hasNextPage: boolean } }, configuration: { listen: Array<{ path: string, value: unknown }>, publicUrl: Array<{ path: string, value: unknown }> } };

export type CreatePlaygroundKeyMutationVariables = Exact<{
  input: CreateKeyInput;
}>;


export type CreatePlaygroundKeyMutation = { createKey:
    | { __typename: 'Conflict', message: string }
    | { __typename: 'CreateKeySuccess', secret: string, key: { id: string, expiresAt: string | null } | null }
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

export type RevokePlaygroundKeyMutationVariables = Exact<{
  input: RevokeKeyInput;
}>;


export type RevokePlaygroundKeyMutation = { revokeKey:
    | { __typename: 'Conflict', message: string }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RevokeKeySuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Playground: Operation<PlaygroundQuery, PlaygroundQueryVariables> = { name: 'Playground', hash: '949d64578a740d181bdc7d180347feaef740de1eaa31694645fa2dc7187857d0' }

export const CreatePlaygroundKey: Operation<CreatePlaygroundKeyMutation, CreatePlaygroundKeyMutationVariables> = { name: 'CreatePlaygroundKey', hash: 'a5e22ff71087f454daea49e8bfcc4d3a7445a7a9f306a45be82c1bc9fba97f29' }

export const RevokePlaygroundKey: Operation<RevokePlaygroundKeyMutation, RevokePlaygroundKeyMutationVariables> = { name: 'RevokePlaygroundKey', hash: 'd1264e912a0d1ca5b7f8b9a2c9ecf9f1f34305c59c793ebca61fa8e3844c24ee' }
