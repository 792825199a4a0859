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

/** Each role may do all that those before it may. */
export type Role =
  | 'admin'
  | 'operator'
  | 'viewer';

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


export type AccessQuery = { viewer: { id: string, role: Role, expiresAt: string | null, idleUntil: string | null }, adminTokens: { edges: Array<{ node: { id: string, role: Role | null, state: TokenState, origin: TokenOrigin, problem: string | null, createdAt: string | null, createdBy: string | null, expiresAt: string | null, lastUsedAt: string | null, revokedAt: string | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, sessions: { edges: Array<{ node: { id: string, principalId: string, role: string, isCurrent: boolean, beganAt: string, usedAt: string, idleUntil: string, endsAt: string, address: string, agent: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CreateAdminTokenMutationVariables = Exact<{
  input: CreateAdminTokenInput;
}>;


export type CreateAdminTokenMutation = { createAdminToken:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateAdminTokenSuccess', secret: string, token: { id: string } | null }
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

export type RevokeAdminTokenMutationVariables = Exact<{
  input: RevokeAdminTokenInput;
}>;


export type RevokeAdminTokenMutation = { revokeAdminToken:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
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
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, models: Array<string>, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'EndSessionSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Access: Operation<AccessQuery, AccessQueryVariables> = { name: 'Access', hash: '8523e0654f08a8ed45fa569738b4ee77f8d9e81c777be960ab2e8e648ada3b09' }

export const CreateAdminToken: Operation<CreateAdminTokenMutation, CreateAdminTokenMutationVariables> = { name: 'CreateAdminToken', hash: 'ea3a3e9770a6fc690896db3c000b5c1c9c75f83a449450fba8b83ab5b7f589a7' }

export const RevokeAdminToken: Operation<RevokeAdminTokenMutation, RevokeAdminTokenMutationVariables> = { name: 'RevokeAdminToken', hash: 'd71969d45ebf88cf08f0cb993560cbb88f063d2acc11901ee68e1488c5a262a5' }

export const EndSession: Operation<EndSessionMutation, EndSessionMutationVariables> = { name: 'EndSession', hash: 'e4ed77c44291091f635f6e51e39de83a1a1f63a2c8b50b9878bd17ae19b73c09' }
