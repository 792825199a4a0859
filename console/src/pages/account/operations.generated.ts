import type { Operation } from '../../api/operation.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** What the server of an account may lack: `accounts[].lacks` of the configuration, in upper case. */
export type AccountLack =
  | 'AUDIO_INPUT'
  | 'CACHE_KEY'
  | 'CACHE_POINTS'
  | 'CANDIDATES'
  | 'CUSTOM_TOOLS'
  | 'END_USER'
  | 'FILE_INPUT'
  | 'FILE_URL'
  | 'FREQUENCY_PENALTY'
  | 'IMAGE_DETAIL'
  | 'IMAGE_INPUT'
  | 'IMAGE_URL'
  | 'JSON_OBJECT'
  | 'JSON_SCHEMA'
  | 'LOGPROBS'
  | 'METADATA'
  | 'PARALLEL_TOOL_CALLS'
  | 'PRESENCE_PENALTY'
  | 'REASONING'
  | 'REASONING_EFFORT'
  | 'SAFETY_IDENTIFIER'
  | 'SEED'
  | 'SERVICE_TIER'
  | 'STOP'
  | 'STORE'
  | 'STORED_RESPONSES'
  | 'STRICT_TOOLS'
  | 'SYSTEM_MIDWAY'
  | 'TEMPERATURE_ABOVE_1'
  | 'TOP_K'
  | 'VERBOSITY';

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

/** INCONCLUSIVE: the call failed or says nothing about the credential. GONE: the account was changed meanwhile. */
export type AccountTestOutcome =
  | 'ACCEPTED'
  | 'GONE'
  | 'INCONCLUSIVE'
  | 'REFUSED';

/** STARTED: the process ended before it wrote the result. */
export type AuditResult =
  | 'DONE'
  | 'FAILED'
  | 'REFUSED'
  | 'STARTED';

export type ClearCoolDownInput = {
  id: string;
  /** By the account's own name. */
  model?: string | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** STORE: sealed in the store. CONFIGURATION: the text of the configuration file. */
export type CredentialSource =
  | 'CONFIGURATION'
  | 'ENV'
  | 'FILE'
  | 'STORE';

export type DeleteAccountInput = {
  expectedVersion?: number | null | undefined;
  id: string;
  /** For the audit record. */
  reason: string;
};

export type DisableAccountInput = {
  /** Calls under way go on. False: they end with an error, in all processes. */
  drain?: boolean | null | undefined;
  id: string;
  /** For the audit record. */
  reason: string;
};

export type EnableAccountInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

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

export type ExplainHeader = {
  name: string;
  value: string;
};

export type ExplainInput = {
  /** The body, or its exact JSON text. Absent: the least one of the dialect. */
  body?: unknown;
  /** The client's: responses, chat, messages; `explainable` has all. */
  dialect: string;
  /** Headers of the client, at most 32. */
  headers?: Array<ExplainHeader> | null | undefined;
  /** The `{id}` of the operation's path. */
  id?: string | null | undefined;
  /** Whose request it would be. */
  keyId: string;
  model?: string | null | undefined;
  /** An operation of the dialect: messages.count_tokens. Absent: that which creates. */
  operation?: string | null | undefined;
  previousResponseId?: string | null | undefined;
};

/** WARN: it counts, and refuses nothing. */
export type LimitAction =
  | 'REFUSE'
  | 'WARN';

/** All members that are given must apply. Events without a key, account, model or dialect pass. */
export type LiveFilter = {
  accountId?: string | null | undefined;
  dialect?: string | null | undefined;
  keyId?: string | null | undefined;
  model?: string | null | undefined;
};

/** FILE: the configuration file, which the API does not change. */
export type ManagedBy =
  | 'FILE'
  | 'STORE';

/** The field of a chat request with the limit of output tokens. */
export type OutputLimitField =
  | 'MAX_COMPLETION_TOKENS'
  | 'MAX_TOKENS';

/** The model that replies name: the model of the account, or the model of the client. */
export type ReplyModel =
  | 'ACCOUNT'
  | 'CLIENT';

export type ResetCircuitInput = {
  dialect?: string | null | undefined;
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

export type TestAccountInput = {
  id: string;
  /** For the audit record. */
  reason?: string | null | undefined;
};

/** An absent field stays, null clears it. */
export type UpdateAccountInput = {
  /** `anthropic_version` of Claude at a cloud. */
  anthropicVersion?: string | null | undefined;
  /** The dated API of `azure`. */
  apiVersion?: string | null | undefined;
  asksForUsage?: boolean | null | undefined;
  /** `{accessKeyId}`: the credential is the secret access key of AWS. Null: it is a key. */
  aws?: unknown;
  baseUrl?: string | null | undefined;
  /** Base URLs of single dialects, by dialect, as in the configuration. Null clears them. */
  baseUrls?: unknown;
  /** The provider’s API key, which is sealed, or its place: `env:NAME` or `file:/path` of each process. */
  credential?: string | null | undefined;
  enabled?: boolean | null | undefined;
  /** `{tenantId, clientId, authority}`: the credential is a secret of this application of Microsoft Entra. */
  entra?: unknown;
  /** The change happens only if the account has this version. */
  expectedVersion?: number | null | undefined;
  /** `{headers: [...], query: [...]}`, as in the configuration. */
  forward?: unknown;
  /** `{}`: the credential is the JSON of a service account of Google Cloud. Null: it is a key. */
  googleAuth?: unknown;
  /** A guardrail of AWS: `{id, version}`. */
  guardrail?: unknown;
  id: string;
  /** What its server lacks, as in the configuration. */
  lacks?: Array<AccountLack> | null | undefined;
  /** Its location: a region, `global`, `us` or `eu`. */
  location?: string | null | undefined;
  /** The most calls at once in each process. */
  maxConcurrent?: number | null | undefined;
  /** A map from the names of models to the account's own, instead of `models`. */
  modelMap?: unknown;
  /** Names and patterns, such as `gpt-*`. A list in a variable has at most 1,000 items: a pattern or `modelMap` stands for more. */
  models?: Array<string> | null | undefined;
  /** Options of the provider, as in the configuration. They are no place for secrets. */
  options?: unknown;
  outputLimitField?: OutputLimitField | null | undefined;
  priority?: number | null | undefined;
  /** The project of a `vertex` account. */
  project?: string | null | undefined;
  provider?: string | null | undefined;
  /** For the audit record. */
  reason?: string | null | undefined;
  /** The region of an account at AWS. */
  region?: string | null | undefined;
  replyModel?: ReplyModel | null | undefined;
  speaks?: Array<string> | null | undefined;
  /** Deadlines, as in the configuration. */
  timeouts?: unknown;
  /** From 0.000001 to 1000000, as in the configuration. */
  weight?: number | null | undefined;
};

export type AccountQueryVariables = Exact<{
  id: string;
  target: string;
}>;


export type AccountQuery = { account: { enabled: boolean, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, inFlight: number, speaks: Array<string>, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, apiVersion: string | null, anthropicVersion: string | null, entra: unknown, googleAuth: unknown, aws: unknown, guardrail: unknown, replyModel: ReplyModel | null, managedBy: ManagedBy, version: number | null, changedAt: string | null, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean, failures: Array<{ at: string, cause: string, exchangeId: string }> }>, problems: Array<{ message: string, fix: string }>, credential: { isSet: boolean, source: CredentialSource | null, hint: string | null, changedAt: string | null }, transport: { maxConcurrent: number | null, proxy: string | null, headers: Array<string>, authorities: Array<{ subject: string, expiresAt: string }>, clientCertificate: { subject: string, expiresAt: string } | null } | null, processes: Array<{ calls: number, failures: number }>, recentCalls: { calls: number, failures: number, p50Ms: number | null, p95Ms: number | null } } | null, keys: { edges: Array<{ node: { id: string, models: Array<string> | null } }> } | null, recent: { edges: Array<{ node: { id: string, status: number, end: ExchangeEnd, error: string | null, model: string | null, keyId: string | null, accountId: string | null, firstOutputMs: number | null, durationMs: number, endedAt: string } }> }, audit: { edges: Array<{ node: { id: string, at: string, action: string, reason: string | null, result: AuditResult, actor: { id: string } | null } }> } | null };

export type AccountStateFragment = { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> };

export type AccountChartsQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
}>;


export type AccountChartsQuery = { calls: { lines: Array<{ points: Array<{ at: string, value: number | null }> }> } | null, failures: { lines: Array<{ points: Array<{ at: string, value: number | null }> }> } | null, firstOutput: { lines: Array<{ points: Array<{ at: string, value: number | null }> }> } | null };

export type AccountLineFragment = { lines: Array<{ points: Array<{ at: string, value: number | null }> }> };

export type AccountOwnedQueryVariables = Exact<{
  id: string;
}>;


export type AccountOwnedQuery = { bindings: { edges: Array<{ node: { id: string | null, recordId: string | null, kind: string | null, keyId: string | null, expiresAt: string } }>, pageInfo: { hasNextPage: boolean } } | null };

export type AccountLiveSubscriptionVariables = Exact<{
  filter: LiveFilter;
}>;


export type AccountLiveSubscription = { live:
    | { __typename: 'AccountChanged' }
    | { __typename: 'AuditRecorded' }
    | { __typename: 'CircuitChanged' }
    | { __typename: 'ConfigurationChanged' }
    | { __typename: 'ExchangeBegan' }
    | { __typename: 'ExchangeChanged' }
    | { __typename: 'ExchangeEnded' }
    | { __typename: 'JobChanged' }
    | { __typename: 'Missed', count: number | null }
    | { __typename: 'PulseSample' }
    | { __typename: 'RecordsChanged' }
   };

export type DisableAccountMutationVariables = Exact<{
  input: DisableAccountInput;
}>;


export type DisableAccountMutation = { disableAccount:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'DisableAccountSuccess', running: number }
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

export type EnableAccountMutationVariables = Exact<{
  input: EnableAccountInput;
}>;


export type EnableAccountMutation = { enableAccount:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'EnableAccountSuccess' }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type ResetCircuitMutationVariables = Exact<{
  input: ResetCircuitInput;
}>;


export type ResetCircuitMutation = { resetCircuit:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'ResetCircuitSuccess', ended: number }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type ClearCoolDownMutationVariables = Exact<{
  input: ClearCoolDownInput;
}>;


export type ClearCoolDownMutation = { clearCoolDown:
    | { __typename: 'ClearCoolDownSuccess', ended: number }
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type TestAccountMutationVariables = Exact<{
  input: TestAccountInput;
}>;


export type TestAccountMutation = { testAccount:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
    | { __typename: 'TestAccountSuccess', outcome: AccountTestOutcome, dialect: string | null, durationMs: number, why: string | null }
   | null };

export type UpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type UpdateAccountMutation = { updateAccount:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
    | { __typename: 'UpdateAccountSuccess', account: { id: string } | null }
   | null };

export type DeleteAccountMutationVariables = Exact<{
  input: DeleteAccountInput;
}>;


export type DeleteAccountMutation = { deleteAccount:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'DeleteAccountSuccess', id: string }
    | { __typename: 'Invalid', message: string, problems: Array<{ path: string, message: string, fix: string }> }
    | { __typename: 'ManagedByFile', fix: string, message: string }
    | { __typename: 'NotFound', message: string }
    | { __typename: 'StoreUnavailable', message: string }
   | null };

export type AccountChoiceQueryVariables = Exact<{
  a: ExplainInput;
  b: ExplainInput;
  c: ExplainInput;
  d: ExplainInput;
  e: ExplainInput;
  f: ExplainInput;
  hasB: boolean;
  hasC: boolean;
  hasD: boolean;
  hasE: boolean;
  hasF: boolean;
}>;


export type AccountChoiceQuery = { a: { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null }, b?: { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null }, c?: { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null }, d?: { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null }, e?: { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null }, f?: { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null } };

export type ChoiceFragment = { candidates: Array<{ accountId: string, chance: number, priority: number, upstreamModel: string | null }>, excluded: Array<{ accountId: string, reason: string, until: string | null }>, answer: { message: string | null } | null };

export const Account: Operation<AccountQuery, AccountQueryVariables> = { name: 'Account', hash: '80c8b07d9258c76d3bee1f943f9a90c433bd20543bed7babaeffe514dd507e4a' }

export const AccountCharts: Operation<AccountChartsQuery, AccountChartsQueryVariables> = { name: 'AccountCharts', hash: '9a53eefc5fb4e3209a87b31f0ed76bc148ec87c4b88b7d2cae1451cfb10982fd' }

export const AccountOwned: Operation<AccountOwnedQuery, AccountOwnedQueryVariables> = { name: 'AccountOwned', hash: 'd6ae9594b83c194118a797928febb26121ec9be4695497d53f0ae3cf902f0db2' }

export const AccountLive: Operation<AccountLiveSubscription, AccountLiveSubscriptionVariables> = { name: 'AccountLive', hash: '435880465253e2df34715bf59dba75ef1ab288c80a5fa28323a0fdbd9af36a03' }

export const DisableAccount: Operation<DisableAccountMutation, DisableAccountMutationVariables> = { name: 'DisableAccount', hash: '9ab4ad310b7d62057a6408631669b8a6eec9f42ceffd0bee642224b91f89a519' }

export const EnableAccount: Operation<EnableAccountMutation, EnableAccountMutationVariables> = { name: 'EnableAccount', hash: 'a0ee3a888d2befc5fd8fd7b33649f68322f7a3dfe49d2db018410731954ab3e7' }

export const ResetCircuit: Operation<ResetCircuitMutation, ResetCircuitMutationVariables> = { name: 'ResetCircuit', hash: '2a921cd63e0be2c9af444a01ddf4697e21b0fad420faf10889f95cef507f4aee' }

export const ClearCoolDown: Operation<ClearCoolDownMutation, ClearCoolDownMutationVariables> = { name: 'ClearCoolDown', hash: '95e3d0f2ff7c603de252d11305d009ab3acdd5aea89acae3c36fe7bf5ee34153' }

export const TestAccount: Operation<TestAccountMutation, TestAccountMutationVariables> = { name: 'TestAccount', hash: 'e1ecd118de8818c7f409a7feba875a359866e99be32f3bc049f164b78b729320' }

export const UpdateAccount: Operation<UpdateAccountMutation, UpdateAccountMutationVariables> = { name: 'UpdateAccount', hash: '9e6ddb51fb7c8ba1be2ebf69dac2e17a8b394fbea85a5a2363449761c4aeb4ee' }

export const DeleteAccount: Operation<DeleteAccountMutation, DeleteAccountMutationVariables> = { name: 'DeleteAccount', hash: 'ab8e37f450a2080892e1c4d4d9885b0801e4e9fd2296789c706e4a22a3684bab' }

export const AccountChoice: Operation<AccountChoiceQuery, AccountChoiceQueryVariables> = { name: 'AccountChoice', hash: 'da6ea8b9b44e72f8f39e27895df47e09d29e9b79ff0e8bf307f2f3ef4d0a2f73' }
