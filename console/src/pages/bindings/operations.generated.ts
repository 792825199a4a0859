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

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

/** CANNOT_TELL: the store does not answer, or the record is damaged. */
export type LookupState =
  | 'CANNOT_TELL'
  | 'FOUND'
  | 'MISSING';

export type BindingsQueryVariables = Exact<{
  filter?: BindingFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type BindingsQuery = { bindings: { edges: Array<{ node: { id: string | null, recordId: string | null, kind: string | null, accountId: string | null, keyId: string | null, model: string | null, createdAt: string, expiresAt: string, account: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type LookUpBindingQueryVariables = Exact<{
  id: string;
  keyId?: string | null | undefined;
}>;


export type LookUpBindingQuery = { binding: { state: LookupState, reason: string | null, kind: string | null, otherKeyIds: Array<string>, binding: { kind: string | null, accountId: string | null, keyId: string | null, model: string | null, createdAt: string, expiresAt: string, chainUntil: string | null, isStored: boolean, upstreamId: string | null, account: { id: string } | null } | null, answers: Array<{ use: BindingUse, dialect: string, status: number, code: string | null, message: string | null, accountId: string | null }> } };

export type ForgetBindingMutationVariables = Exact<{
  input: ForgetBindingInput;
}>;


export type ForgetBindingMutation = { forgetBinding:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'ForgetBindingSuccess' }
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

export const Bindings: Operation<BindingsQuery, BindingsQueryVariables> = { name: 'Bindings', hash: '4d012d6182ebe848e063d4961d26c489cb8be1fdf5a1167ce1e92a5dc03fee9e' }

export const LookUpBinding: Operation<LookUpBindingQuery, LookUpBindingQueryVariables> = { name: 'LookUpBinding', hash: '0ca2a481608731b71f568c13b05f16d3635ca5743c23d9e924e10df74974edf4' }

export const ForgetBinding: Operation<ForgetBindingMutation, ForgetBindingMutationVariables> = { name: 'ForgetBinding', hash: '15966755324d9f974e2e340631d8ed042a195f09df7e1ce4c50e2136b5ca2e7e' }
