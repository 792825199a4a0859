import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The dimensions that usage is grouped by. Days and hours are of UTC. */
export type UsageDimension =
  | 'ACCOUNT'
  | 'DAY'
  | 'HOUR'
  | 'KEY'
  | 'MODEL'
  | 'TEAM';

/** All members that are given must apply. */
export type UsageFilter = {
  accountId?: string | null | undefined;
  keyId?: string | null | undefined;
  model?: string | null | undefined;
  team?: string | null | undefined;
};

export type UsageQueryVariables = Exact<{
  from: string;
  to: string;
  by?: Array<UsageDimension> | UsageDimension | null | undefined;
  lines?: Array<UsageDimension> | UsageDimension | null | undefined;
  filter?: UsageFilter | null | undefined;
  isCost: boolean;
  isCalls: boolean;
  isTokens: boolean;
}>;


export type UsageQuery = { usage: { rows: Array<{ key: string | null, team: string | null, model: string | null, account: string | null, start: string | null, calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number }>, totals: { retries: number, durationP95Ms: number | null, calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number } } | null, cost?: { lines: Array<{ label: string, isOther: boolean, points: Array<{ at: string, value: number | null }> }> } | null, calls?: { lines: Array<{ label: string, isOther: boolean, points: Array<{ at: string, value: number | null }> }> } | null, tokens?: { lines: Array<{ label: string, isOther: boolean, points: Array<{ at: string, value: number | null }> }> } | null };

export type UsageLinesFragment = { lines: Array<{ label: string, isOther: boolean, points: Array<{ at: string, value: number | null }> }> };

export type UsagePartsFragment = { calls: number, failures: number, inputTokens: number, cachedTokens: number, outputTokens: number, cost: string, unpricedCalls: number, estimatedCalls: number, lostCalls: number };

export const Usage: Operation<UsageQuery, UsageQueryVariables> = { name: 'Usage', hash: 'ca2a8b32e2226a14c7997efb3e8e8049bd9465c0318eb6f0affeacbedaaae7d5' }
