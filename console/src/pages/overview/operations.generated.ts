import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** SOME: an exclusion concerns some of its models, dialects or keys, or lets one call at a time pass. A full account serves all that it can. */
export type AccountServes =
  | 'ALL'
  | 'NOTHING'
  | 'SOME';

/** REFUSED: its credential, or it has no credit. COOLING: it has asked for a pause, or its credential cannot be fetched at the moment. CIRCUIT_HALF_OPEN: one call at a time tries it. EXCLUDED: by a plugin. FULL: at its most calls at once. INVALID: no call can use it, see `problems`. */
export type AccountState =
  | 'CIRCUIT_HALF_OPEN'
  | 'CIRCUIT_OPEN'
  | 'COOLING'
  | 'DISABLED'
  | 'ENABLED'
  | 'EXCLUDED'
  | 'FULL'
  | 'INVALID'
  | 'REFUSED';

/** BROKEN: the client did not get the whole reply. */
export type ExchangeEnd =
  | 'BROKEN'
  | 'CLIENT_GONE'
  | 'COMPLETE';

/** REFUSED: by the account. COOLING: the account has asked for a pause, or its credential cannot be fetched at the moment. OTHER: a limit of calls at once, or a plugin, see `by`. */
export type ExclusionKind =
  | 'CIRCUIT'
  | 'COOLING'
  | 'OTHER'
  | 'REFUSED';

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

/** As `Model.available`. */
export type ModelState =
  | 'AVAILABLE'
  | 'UNAVAILABLE';

export type StoreKind =
  | 'FILE'
  | 'MEMORY'
  | 'REDIS';

export type OverviewQueryVariables = Exact<{ [key: string]: never; }>;


export type OverviewQuery = { gateway: { version: string, processesComplete: boolean, store: { kind: StoreKind, reachable: boolean }, configuration: { problems: Array<{ message: string }> }, processes: Array<{ id: string, host: string, pid: number, worker: number | null, version: string, ready: boolean, draining: boolean, stale: boolean, startedAt: string, at: string, loopLagMs: number, inFlight: number, configuration: { hash: string } }> }, pulse: Array<{ at: string, calls: number, failures: number, clientErrors: number, cost: string, unpriced: number, firstOutputP50: number | null, firstOutputP95: number | null, inFlight: number }>, minute: Array<{ firstOutputP50: number | null, firstOutputP95: number | null }>, inTrouble: { edges: Array<{ node: { models: Array<string>, inFlight: number, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, recentCalls: { calls: number, failures: number }, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } }> }, accounts: { totalCount: number, edges: Array<{ node: { models: Array<string>, inFlight: number, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, recentCalls: { calls: number, failures: number }, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } }>, countsByServes: Array<{ serves: AccountServes, count: number }>, countsByState: Array<{ state: AccountState, count: number }> }, keys: { totalCount: number } | null, unavailable: { edges: Array<{ node: { name: string, standIn: string | null, failsWith: number | null, accounts: { edges: Array<{ node: { accountId: string, enabled: boolean } }>, pageInfo: { hasNextPage: boolean } } } }>, pageInfo: { hasNextPage: boolean }, countsByState: Array<{ state: ModelState, count: number }> }, lastCall: { edges: Array<{ node: { id: string } }> }, recent: { edges: Array<{ node: { id: string, status: number, end: ExchangeEnd, error: string | null, model: string | null, keyId: string | null, endedAt: string } }> } };

export type OverviewAccountFragment = { models: Array<string>, inFlight: number, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, recentCalls: { calls: number, failures: number }, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> };

export type AccountStateFragment = { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> };

export type OverviewSpendQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type OverviewSpendQuery = { usage: { totals: { calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number } } | null, limits: Array<{ id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null }> | null };

export type LimitPartsFragment = { id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null };

export type UsagePartsFragment = { calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number };

export const Overview: Operation<OverviewQuery, OverviewQueryVariables> = { name: 'Overview', hash: '5484c840c8baa193d091c51c49ce6a98c2eeef3b45ad49e105e86ff3327246f2' }

export const OverviewSpend: Operation<OverviewSpendQuery, OverviewSpendQueryVariables> = { name: 'OverviewSpend', hash: '0b951ec0739b82add5f215687198028edaec35f009ad1a461550cf0a676086e1' }
