import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateTeamInput = {
  id: string;
  /** Names and patterns. Absent or null: all models. */
  models?: Array<string> | null | undefined;
  /** The name that people know. Absent or null: the id. */
  name?: string | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type DeleteTeamInput = {
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  id: string;
  /** For the audit record. */
  reason: string;
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

/** FILE: the configuration file, which the API does not change. */
export type ManagedBy =
  | 'FILE'
  | 'STORE';

export type UpdateTeamInput = {
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  id: string;
  /** Names and patterns. Absent: unchanged. null: all models. */
  models?: Array<string> | null | undefined;
  /** The name that people know. Absent: unchanged. null: the id. */
  name?: string | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type TeamsQueryVariables = Exact<{
  after?: string | null | undefined;
  from: string;
  to: string;
}>;


export type TeamsQuery = { teams: { edges: Array<{ node: { id: string, name: string | null, models: Array<string> | null, problem: string | null, limits: Array<{ id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null }> | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, usage: { rows: Array<{ team: string | null, calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number }> } | null };

export type LimitPartsFragment = { id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null };

export type UsagePartsFragment = { calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number };

export type OneTeamQueryVariables = Exact<{
  id: string;
}>;


export type OneTeamQuery = { team: { id: string, name: string | null, models: Array<string> | null, managedBy: ManagedBy, problem: string | null, version: number | null, changedAt: string | null, changedBy: string | null } | null, limits: Array<{ id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null }> | null };

export type CreateTeamMutationVariables = Exact<{
  input: CreateTeamInput;
}>;


export type CreateTeamMutation = { createTeam:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateTeamSuccess' }
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

export type UpdateTeamMutationVariables = Exact<{
  input: UpdateTeamInput;
}>;


export type UpdateTeamMutation = { updateTeam:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
    | { __typename: 'UpdateTeamSuccess' }
   | null };

export type DeleteTeamMutationVariables = Exact<{
  input: DeleteTeamInput;
}>;


export type DeleteTeamMutation = { deleteTeam:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'DeleteTeamSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Teams: Operation<TeamsQuery, TeamsQueryVariables> = { name: 'Teams', hash: 'e2ccbb306d477e15d083157af3839cfd98a6c0c810c86b60de8fc6943fbe32a2' }

export const OneTeam: Operation<OneTeamQuery, OneTeamQueryVariables> = { name: 'OneTeam', hash: '4c3c9258f358fc81c5a2a86fd946e5cc68904b04db15c377fd0b7e2b2eb5774f' }

export const CreateTeam: Operation<CreateTeamMutation, CreateTeamMutationVariables> = { name: 'CreateTeam', hash: 'b02778b535bcb3c4f195a9821b6e9ae78759a665ed3565b1dcd28e01935579cb' }

export const UpdateTeam: Operation<UpdateTeamMutation, UpdateTeamMutationVariables> = { name: 'UpdateTeam', hash: '26e66e731288b6738d1e08a5536cc7221ecb9177c24a2f2f8cbc95f5ed2af40b' }

export const DeleteTeam: Operation<DeleteTeamMutation, DeleteTeamMutationVariables> = { name: 'DeleteTeam', hash: '652e93990801e0567786c4bb6d540f6b0f18d501439ac5c81421ebb97fd9cec6' }
