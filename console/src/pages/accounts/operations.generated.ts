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

/** The fields of an account, as in the configuration. */
export type CreateAccountInput = {
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
  provider: string;
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

/** The field of a chat request with the limit of output tokens. */
export type OutputLimitField =
  | 'MAX_COMPLETION_TOKENS'
  | 'MAX_TOKENS';

/** The model that replies name: the model of the account, or the model of the client. */
export type ReplyModel =
  | 'ACCOUNT'
  | 'CLIENT';

export type AccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AccountsQuery = { accounts: { totalCount: number, edges: Array<{ node: { models: Array<string>, inFlight: number, priority: number | null, weight: number | null, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, transport: { maxConcurrent: number | null } | null, recentCalls: { calls: number, failures: number }, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, countsByServes: Array<{ serves: AccountServes, count: number }>, countsByState: Array<{ state: AccountState, count: number }> } };

export type AccountRowFragment = { models: Array<string>, inFlight: number, priority: number | null, weight: number | null, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, transport: { maxConcurrent: number | null } | null, recentCalls: { calls: number, failures: number }, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> };

export type AccountStateFragment = { id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> };

export type AccountsInTroubleQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountsInTroubleQuery = { inTrouble: { edges: Array<{ node: { models: Array<string>, inFlight: number, priority: number | null, weight: number | null, id: string, provider: string, state: AccountState, serves: AccountServes, standsBy: boolean | null, stateReason: string | null, stateUntil: string | null, transport: { maxConcurrent: number | null } | null, recentCalls: { calls: number, failures: number }, exclusions: Array<{ kind: ExclusionKind, by: string, reason: string, status: number | null, until: string | null, dialect: string | null, models: Array<string>, keyId: string | null, isProbing: boolean }> } }> } };

export type CreateAccountMutationVariables = Exact<{
  input: CreateAccountInput;
}>;


export type CreateAccountMutation = { createAccount:
    | { __typename: 'Conflict', message: string, account: { version: number | null, provider: string, baseUrl: string | null, baseUrls: unknown, region: string | null, project: string | null, location: string | null, models: Array<string>, modelMap: unknown, priority: number | null, weight: number | null, changedAt: string | null } | null, key: { version: number | null, team: string | null, models: Array<string> | null, expiresAt: string | null, explain: boolean, labels: Array<{ name: string, value: string }> } | null, team: { version: number | null, name: string | null, models: Array<string> | null, changedAt: string | null, changedBy: string | null } | null, price: { version: number | null, isFree: boolean, search: number | string | null, changedAt: string | null, changedBy: string | null, rates: { input: number | string | null, output: number | string | null, cacheRead: number | string | null, cacheWrite: number | string | null, cacheWrite1h: number | string | null, inputAudio: number | string | null, outputAudio: number | string | null, inputImage: number | string | null, outputImage: number | string | null } | null } | null, limit: { version: number | null, amount: number | string, action: LimitAction, strict: boolean, zone: string, changedAt: string | null, changedBy: string | null } | null }
    | { __typename: 'CreateAccountSuccess', account: { id: string } | null }
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

export const Accounts: Operation<AccountsQuery, AccountsQueryVariables> = { name: 'Accounts', hash: '98d6f2ca15822ceb446b0b56df14cb58fb065128c79ee450ab8d2932228bccd9' }

export const AccountsInTrouble: Operation<AccountsInTroubleQuery, AccountsInTroubleQueryVariables> = { name: 'AccountsInTrouble', hash: '46f70ed72fe797c78cd0b0ab678098d9a4db696a458c12c4e3dccbda99aeb3a2' }

export const CreateAccount: Operation<CreateAccountMutation, CreateAccountMutationVariables> = { name: 'CreateAccount', hash: 'ad0f4ef997e9b078d80672bce2afbd75d713213a20cea934949335c98ab562eb' }
