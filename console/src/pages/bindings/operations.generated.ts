import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** All that are given must apply. Key and kind together read the fewest records. */
export type BindingFilter = {
  /** Empty: resources that the gateway has made. */
  accountId?: string | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
  keyId?: string | null | undefined;
  /** Such as response or conversation. */
  kind?: string | null | undefined;
};

/** CHAIN: a call continues the resource. READ: it reads the resource by its id. NAME: it names the data in its body: an item, a container, a file, spoken audio or a message. */
export type BindingUse =
  | 'CHAIN'
  | 'NAME'
  | 'READ';

export type ForgetBindingInput = {
  id: string;
  keyId: string;
  /** `*`: the one that there is, of any kind. */
  kind: string;
  /** For the audit record. */
  reason: string;
};

/** CANNOT_TELL: the store does not answer, or the record is damaged. */
export type LookupState =
  | 'CANNOT_TELL'
  | 'FOUND'
  | 'MISSING';

export type BindingsQueryVariables = Exact<{
  filter?: BindingFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type BindingsQuery = { bindings: { edges: Array<{ node: { id: string | null, recordId: string | null, kind: string | null, accountId: string | null, keyId: string | null, model: string | null, createdAt: string, expiresAt: string, chainUntil: string | null, isStored: boolean, upstreamId: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type LookUpBindingQueryVariables = Exact<{
  id: string;
  keyId: string;
}>;


export type LookUpBindingQuery = { binding: { state: LookupState, reason: string | null, kind: string | null, binding: { id: string | null, kind: string | null, accountId: string | null, keyId: string | null, model: string | null, createdAt: string, expiresAt: string, chainUntil: string | null, isStored: boolean, upstreamId: string | null } | null, answers: Array<{ use: BindingUse, dialect: string, status: number, code: string | null, message: string | null, accountId: string | null }> } };

export type ForgetBindingMutationVariables = Exact<{
  input: ForgetBindingInput;
}>;


export type ForgetBindingMutation = { forgetBinding:
    | { __typename: 'Conflict', message: string }
    | { __typename: 'ForgetBindingSuccess' }
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

export const Bindings: Operation<BindingsQuery, BindingsQueryVariables> = { name: 'Bindings', hash: '4285732b9b8d39e294b200cb5680baab49cacba0285d3dd3226f3bcbf1ca139e' }

export const LookUpBinding: Operation<LookUpBindingQuery, LookUpBindingQueryVariables> = { name: 'LookUpBinding', hash: '7da2cc315a5f7714277e40a571508308bf1e1c0f1dcab11bc91c148b06a75d12' }

export const ForgetBinding: Operation<ForgetBindingMutation, ForgetBindingMutationVariables> = { name: 'ForgetBinding', hash: '60e3a7a8752e27f6d1f26c3dbbb574f8a2850bc8c22dea7d0817c924e7fe8ffc' }
