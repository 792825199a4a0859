import type { Role } from '../../contract/roles.ts'

/** An account of the admin API. Times are texts in ISO 8601, here and below. */
export interface AccountNode {
  readonly id: string
  readonly provider: string
  readonly state: string
  readonly serves: string
  readonly stateReason: string | null
  readonly stateUntil: string | null
  readonly inFlight: number | null
  readonly managedBy: 'FILE' | 'STORE'
  readonly problems: readonly { readonly path: string; readonly message: string }[]
  readonly processes: readonly {
    readonly processId: string
    readonly exclusions: readonly ExclusionNode[]
  }[]
}

/** The exclusion of an account in a process. */
export interface ExclusionNode {
  readonly kind: string
  readonly by: string
  readonly reason: string
  readonly dialect: string | null
  readonly model: string | null
  readonly keyId: string | null
  readonly status: number | null
  readonly isProbing: boolean
  readonly until: string | null
}

/** An API key. */
export interface KeyNode {
  readonly id: string
  readonly state: 'ACTIVE' | 'DAMAGED' | 'DISABLED' | 'EXPIRED' | 'REVOKED'
  readonly stateReason: string | null
  readonly models: readonly string[] | null
  readonly team: string | null
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly explain: boolean
  readonly losses: 'DROP' | 'NATIVE' | 'REJECT' | null
  readonly errors: 'SPEC' | 'UPSTREAM' | 'NATIVE' | null
  readonly expiresAt: string | null
  readonly createdAt: string | null
  readonly rotatedAt: string | null
  readonly graceUntil: string | null
  readonly managedBy: 'FILE' | 'STORE'
}

/** A team of keys. */
export interface TeamNode {
  readonly id: string
  readonly name: string | null
  readonly models: readonly string[] | null
  readonly managedBy: 'FILE' | 'STORE'
}

/** A limit. Amounts of costs are USD as texts. */
export interface LimitNode {
  readonly id: string
  readonly kind: string
  readonly window: string | null
  readonly amount: number | string
  readonly extra: { readonly amount: number | string; readonly until: string } | null
  readonly spent: number | string | null
  readonly held: number | string | null
  readonly remaining: number | string | null
  readonly resetsAt: string | null
  readonly action: string
  readonly managedBy: 'FILE' | 'STORE'
}

/** The price of a model, or a model without one. */
export interface PriceNode {
  readonly model: string
  readonly accountId: string | null
  readonly provider: string | null
  readonly origin: 'STORE' | 'FILE' | 'PUBLISHED' | null
  readonly checkedAt: string | null
  readonly isFree: boolean
  readonly from: string | null
  /** USD for a million tokens. */
  readonly rates: Readonly<Record<'input' | 'output' | 'cacheRead', string | null>> | null
}

/** An admin token, without its secret. */
export interface AdminTokenNode {
  readonly id: string
  readonly state: 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'UNREADABLE'
  readonly role: Uppercase<Role> | null
  readonly origin: 'FILE' | 'ENVIRONMENT' | 'STORE'
  readonly createdBy: string | null
  readonly expiresAt: string | null
  readonly createdAt: string | null
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/** The account that owns a resource. */
export interface BindingNode {
  readonly id: string | null
  readonly kind: string | null
  readonly keyId: string | null
  readonly accountId: string | null
  readonly upstreamId: string | null
  readonly model: string | null
  readonly isStored: boolean
  readonly chainUntil: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

/** The gateway's data on the id of a resource. */
export interface BindingLookupNode {
  readonly state: 'CANNOT_TELL' | 'FOUND' | 'MISSING'
  readonly reason: string | null
  /** The kind of the record, also of a damaged one. */
  readonly kind?: string | null
  readonly binding: BindingNode | null
  /** Further owners, if the look-up named none. */
  readonly otherKeyIds?: readonly string[]
  /** Absent: nothing is known of them. */
  readonly answers?: readonly BindingAnswerNode[]
}

/** How a call that refers to a resource would be answered now. */
export interface BindingAnswerNode {
  readonly use: 'CHAIN' | 'NAME' | 'READ'
  /** The dialect of the call. */
  readonly dialect: string
  readonly status: number
  readonly code: string | null
  readonly message: string | null
  readonly accountId: string | null
}

/** Work of an account that outlasts its call. */
export interface JobNode {
  readonly id: string
  readonly kind: 'BATCH' | 'MESSAGE_BATCH' | 'VIDEO'
  readonly state: 'CANCELLED' | 'COMPLETED' | 'FAILED' | 'IN_PROGRESS' | 'QUEUED'
  readonly progress: number
  readonly keyId: string
  readonly accountId: string
  readonly upstreamId: string
  readonly dialect: string
  readonly model: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly createdAt: string
  readonly completedAt: string | null
  readonly expiresAt: string | null
}

/** How a request would be served. */
export interface ExplanationNode {
  /** The process that answers; null for an answer from the configuration and the store. */
  readonly processId: string | null
  readonly operation: string | null
  readonly resolvedModel: string | null
  readonly fallbacks: readonly {
    readonly model: string
    readonly next: string
    readonly on: string
    readonly error: string
    readonly excluded: readonly ExcludedNode[]
  }[]
  readonly rule: string | null
  readonly pinned: boolean
  readonly moves: boolean
  readonly candidates: readonly CandidateNode[]
  readonly candidatesOmitted: number
  readonly excluded: readonly ExcludedNode[]
  readonly excludedOmitted: number
  readonly chosen: CandidateNode | null
  readonly losses: readonly { readonly field: string; readonly reason: string }[]
  readonly answer: {
    readonly status: number
    readonly code: string | null
    readonly message: string | null
    readonly param: string | null
  } | null
}

/** An account that can serve a request. */
export interface CandidateNode {
  readonly accountId: string
  readonly native: boolean
  readonly dialect: string
  readonly upstreamModel: string | null
  readonly chance: number
  readonly why: string | null
  /** The exclusions of the account in other processes. */
  readonly elsewhere: readonly (ExclusionNode & { readonly processId: string })[]
}

/** An account that cannot serve a request. */
export interface ExcludedNode {
  readonly accountId: string
  readonly by: string
  readonly reason: string
  readonly field: string | null
  readonly status: number | null
  readonly until: string | null
}

/** The result of a test call to an account. */
export interface TestNode {
  readonly outcome: string
  /** Null: no dialect of the account has a free call. */
  readonly dialect: string | null
  /** Why the account was not accepted; null: it was. */
  readonly why: string | null
  /** What to do about a credential that the account cannot be given; null: it is given one. */
  readonly remedy: string | null
  readonly durationMs: number
}

/** An event of a subscription: the members of its type. */
export type LiveNode = { readonly type: string } & Readonly<Record<string, unknown>>

/** A line of a report of usage. `key`, `team`, `model` and `account` are null if the report is not grouped by them. */
export interface UsageRowNode {
  readonly key: string | null
  readonly team: string | null
  readonly model: string | null
  readonly account: string | null
  readonly start: string | null
  readonly calls: number
  readonly failures: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars. */
  readonly cost: string
  readonly unpricedCalls: number
  readonly estimatedCalls: number
}
