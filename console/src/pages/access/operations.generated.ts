import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateAdminTokenInput = {
  /** Default: in 90 days. */
  expiresAt?: string | null | undefined;
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
  role: Role;
};

export type EndSessionInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

export type RevokeAdminTokenInput = {
  id: string;
  /** For the audit record. */
  reason: string;
};

/** VIEWER reads. OPERATOR also steers what runs. ADMIN also changes keys, accounts and tokens. */
export type Role =
  | 'ADMIN'
  | 'OPERATOR'
  | 'VIEWER';

/** What the file and the environment have, the API does not change. */
export type TokenOrigin =
  | 'ENVIRONMENT'
  | 'FILE'
  | 'STORE';

/** UNREADABLE: the record is damaged, so the token is never accepted. */
export type TokenState =
  | 'ACTIVE'
  | 'EXPIRED'
  | 'REVOKED'
  | 'UNREADABLE';

export type AccessQueryVariables = Exact<{
  tokens?: string | null | undefined;
  sessions?: string | null | undefined;
}>;


export type AccessQuery = { adminTokens: { edges: Array<{ node: { id: string, role: Role | null, state: TokenState, origin: TokenOrigin, problem: string | null, createdAt: string | null, createdBy: string | null, expiresAt: string | null, lastUsedAt: string | null, revokedAt: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, sessions: { edges: Array<{ node: { id: string, principalId: string, role: Role, isCurrent: boolean, beganAt: string, usedAt: string, endsAt: string, address: string, agent: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateAdminTokenMutationVariables = Exact<{
  input: CreateAdminTokenInput;
}>;


export type CreateAdminTokenMutation = { createAdminToken:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateAdminTokenSuccess', secret: string, token: { id: string } | null }
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

export type RevokeAdminTokenMutationVariables = Exact<{
  input: RevokeAdminTokenInput;
}>;


export type RevokeAdminTokenMutation = { revokeAdminToken:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RevokeAdminTokenSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type EndSessionMutationVariables = Exact<{
  input: EndSessionInput;
}>;


export type EndSessionMutation = { endSession:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'EndSessionSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Access: Operation<AccessQuery, AccessQueryVariables> = { name: 'Access', hash: 'd619d2a684c505db3f669f711317e1adbcf94dba0c44d6d8415c7bffb58bf398' }

export const CreateAdminToken: Operation<CreateAdminTokenMutation, CreateAdminTokenMutationVariables> = { name: 'CreateAdminToken', hash: '57310ca3068cddace9d205ae1d9a4a103ba9a42fb78e5524ccebfe3f146b2b12' }

export const RevokeAdminToken: Operation<RevokeAdminTokenMutation, RevokeAdminTokenMutationVariables> = { name: 'RevokeAdminToken', hash: '1ed344e2e15d19640e0b648797f46325ff7cbaff5faed6835bae980396cb4b1c' }

export const EndSession: Operation<EndSessionMutation, EndSessionMutationVariables> = { name: 'EndSession', hash: '1dbb33896971883ddd2f4af7a6d6db87b225bc2e3f01291dbe5a77bf818fbaa3' }
