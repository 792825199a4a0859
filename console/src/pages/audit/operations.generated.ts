import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** PROCESS: the gateway itself or its command line. */
export type ActorKind =
  | 'PROCESS'
  | 'SESSION'
  | 'TOKEN';

export type AuditFilter = {
  /** key.rotate, or the noun alone: key. */
  action?: string | null | undefined;
  /** The id of an actor. */
  actor?: string | null | undefined;
  /** The first moment. */
  from?: string | null | undefined;
  /** The id of a target. */
  target?: string | null | undefined;
  /** The moment behind the last. */
  to?: string | null | undefined;
};

/** STARTED: the process ended before it wrote the result. */
export type AuditResult =
  | 'DONE'
  | 'FAILED'
  | 'REFUSED'
  | 'STARTED';

/** INTACT: sealed as it is with a key of DRAGOMAN_SECRET_KEY. CHANGED: it was sealed as another. UNKNOWN_KEY: the process that answers does not have the key. UNKEYED: its digest fits, but everyone who can write to the store can write that too. ABSENT: of an earlier version, or removed. */
export type AuditSeal =
  | 'ABSENT'
  | 'CHANGED'
  | 'INTACT'
  | 'UNKEYED'
  | 'UNKNOWN_KEY';

/** VIEWER reads. OPERATOR also steers what runs. ADMIN also changes keys, accounts and tokens. */
export type Role =
  | 'ADMIN'
  | 'OPERATOR'
  | 'VIEWER';

export type AuditQueryVariables = Exact<{
  filter?: AuditFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditQuery = { audit: { edges: Array<{ node: { id: string, at: string, action: string, result: AuditResult, message: string | null, reason: string | null, count: number, address: string, agent: string, requestId: string | null, seal: AuditSeal, before: unknown, after: unknown, actor: { kind: ActorKind | null, id: string, role: Role | null } | null, target: { type: string, id: string } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export const Audit: Operation<AuditQuery, AuditQueryVariables> = { name: 'Audit', hash: '38e26e77ae8a103c7a7003859388367e09f045d0a53b174da4b0c8c5b6193105' }
