import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

export type LimitsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type LimitsQuery = { limits: Array<{ id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null }> | null };

export type LimitPartsFragment = { id: string, kind: LimitKind, window: string | null, zone: string, models: Array<string> | null, per: LimitPer | null, action: LimitAction, strict: boolean, alerts: Array<number>, amount: number | string, spent: number | string | null, held: number | string | null, remaining: number | string | null, resetsAt: string | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, changedBy: string | null, subject: { type: LimitSubjectType, id: string | null }, extra: { amount: number | string, until: string } | null };

export const Limits: Operation<LimitsQuery, LimitsQueryVariables> = { name: 'Limits', hash: '7ebd6e9c428490c75264defeb1b1fca13db9d32e9d9b906fc4531880b74b6f80' }
