import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** A kind of failure after which another model may serve a call. */
export type FallbackKind =
  | 'BUDGET'
  | 'CONTEXT_LENGTH'
  | 'RATE_LIMITED'
  | 'REFUSED'
  | 'UNAVAILABLE';

export type FallbackSetting = {
  /** A platform model, or another alias. */
  model: string;
  on: Array<FallbackKind>;
};

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

/** FILE: the configuration file, which the API does not change. */
export type ManagedBy =
  | 'FILE'
  | 'STORE';

export type ModelFilter = {
  /** As `Model.available`. */
  available?: boolean | null | undefined;
  /** What the names begin with. */
  search?: string | null | undefined;
};

/** PATTERN: names with stars, such as gpt-*, which an account accepts. */
export type ModelKind =
  | 'ALIAS'
  | 'MODEL'
  | 'PATTERN';

/** As `Model.available`. */
export type ModelState =
  | 'AVAILABLE'
  | 'UNAVAILABLE';

export type RemoveAliasInput = {
  /** The version that was read. Absent: any. */
  expectedVersion?: number | null | undefined;
  name: string;
  /** For the audit record. */
  reason: string;
};

/** The model that replies name: the model of the account, or the model of the client. */
export type ReplyModel =
  | 'ACCOUNT'
  | 'CLIENT';

export type SetAliasInput = {
  /** The version that was read; 0: the alias is new. Absent: any. */
  expectedVersion?: number | null | undefined;
  /** Absent: unchanged. null: the fallbacks of the alias that it names, or none. */
  fallbacks?: Array<FallbackSetting> | null | undefined;
  /** A platform model, or another alias. An alias that names itself sets the settings of the model. */
  model: string;
  name: string;
  /** For the audit record. */
  reason?: string | null | undefined;
  /** Absent: unchanged. null: as the account. */
  replyModel?: ReplyModel | null | undefined;
  /** Absent: unchanged. null: weights decide, or the alias that it names. */
  strategy?: Strategy | null | undefined;
};

/** How to choose among accounts of the same rank and priority: by the calls in flight, by the time to the first output, or by the price. */
export type Strategy =
  | 'COST'
  | 'LATENCY'
  | 'LEAST_BUSY';

export type ModelsQueryVariables = Exact<{
  filter: ModelFilter;
  after?: string | null | undefined;
  unserved: ModelFilter;
  hasUnserved: boolean;
  open: ModelFilter;
  hasOpen: boolean;
}>;


export type ModelsQuery = { unserved?: { edges: Array<{ node: { name: string, model: string, kind: ModelKind, served: boolean, available: boolean, standIn: string | null, accounts: { edges: Array<{ node: { accountId: string, enabled: boolean, available: boolean, price: { isFree: boolean, checkedAt: string | null, rates: { input: number | string | null, output: number | string | null } } | null } }>, pageInfo: { hasNextPage: boolean } } } }>, pageInfo: { hasNextPage: boolean } }, models: { totalCount: number, countsByState: Array<{ state: ModelState, count: number }>, edges: Array<{ node: { name: string, model: string, kind: ModelKind, served: boolean, available: boolean, standIn: string | null, accounts: { edges: Array<{ node: { accountId: string, enabled: boolean, available: boolean, price: { isFree: boolean, checkedAt: string | null, rates: { input: number | string | null, output: number | string | null } } | null } }>, pageInfo: { hasNextPage: boolean } } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, open?: { edges: Array<{ node: { name: string, model: string, kind: ModelKind, served: boolean, available: boolean, standIn: string | null, all: { edges: Array<{ node: { reason: string | null, until: string | null, chance: number | null, upstreamModel: string | null, native: Array<string>, translated: Array<string>, accountId: string, enabled: boolean, available: boolean, price: { isFree: boolean, checkedAt: string | null, rates: { input: number | string | null, output: number | string | null } } | null } }>, pageInfo: { hasNextPage: boolean } }, accounts: { edges: Array<{ node: { accountId: string, enabled: boolean, available: boolean, price: { isFree: boolean, checkedAt: string | null, rates: { input: number | string | null, output: number | string | null } } | null } }>, pageInfo: { hasNextPage: boolean } } } }> }, aliases: Array<{ name: string, model: string, replyModel: ReplyModel | null, strategy: Strategy | null, managedBy: ManagedBy, problem: string | null, version: number | null, changedBy: string | null, fallbacks: Array<{ model: string, on: Array<FallbackKind> }> | null }> };

export type ListedModelFragment = { name: string, model: string, kind: ModelKind, served: boolean, available: boolean, standIn: string | null, accounts: { edges: Array<{ node: { accountId: string, enabled: boolean, available: boolean, price: { isFree: boolean, checkedAt: string | null, rates: { input: number | string | null, output: number | string | null } } | null } }>, pageInfo: { hasNextPage: boolean } } };

export type ListedAccountFragment = { accountId: string, enabled: boolean, available: boolean, price: { isFree: boolean, checkedAt: string | null, rates: { input: number | string | null, output: number | string | null } } | null };

export type SetAliasMutationVariables = Exact<{
  input: SetAliasInput;
}>;


export type SetAliasMutation = { setAlias:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'SetAliasSuccess' }
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

export type RemoveAliasMutationVariables = Exact<{
  input: RemoveAliasInput;
}>;


export type RemoveAliasMutation = { removeAlias:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'RemoveAliasSuccess' }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export const Models: Operation<ModelsQuery, ModelsQueryVariables> = { name: 'Models', hash: '320b8dd9b670333051ae4f5f999e4106a3c61562eae8de9dcbacf0b709335808' }

export const SetAlias: Operation<SetAliasMutation, SetAliasMutationVariables> = { name: 'SetAlias', hash: 'ff2da46312bd4837cbb4960ceff7468bffd1c2ecdd90c76e8d11e93318315d6c' }

export const RemoveAlias: Operation<RemoveAliasMutation, RemoveAliasMutationVariables> = { name: 'RemoveAlias', hash: '92a7b020026a29c4bd3751c434beebe3c8735438f6f39fff24173c61d80451d9' }
