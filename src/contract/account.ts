import type { AccountLack } from '../generate/account-lacks.ts'
import type { AccountCredential } from './credential.ts'
import type { AccountTimeouts } from './limits.ts'
import type { PriceSettings } from './prices.ts'
import type { Adaptation } from './adaptation.ts'
import type { QuotaSetting } from './quota.ts'
import type { SchemaOutput, StandardSchema } from './standard-schema.ts'

/** Options of an account, as the schema of its provider returns them. */
export type AccountOptions = Readonly<Record<string, unknown>>

/** The options of an account, with the types of the schema of its provider. Throws for an account without options. */
export function optionsOf<Schema extends StandardSchema>(
  { options }: Pick<Account, 'options'>,
  _schema: Schema,
): SchemaOutput<Schema> {
  if (!options) throw new Error('The provider of the account has no options.')
  return options
}

/** Where an account is asked: a base URL. */
export interface Root {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path prefix of the base URL, without a trailing slash; `''` for a bare origin. */
  readonly basePath: string
  /** Whether `basePath` carries the API version, as the provider's own SDK expects. */
  readonly base: 'versioned' | 'bare'
}

/** The base URLs of dialects, by their ids. */
export type BaseUrls = Readonly<Record<string, string>>

/** An upstream account, ready for use: presets applied, secrets resolved. Its own root is for dialects without another. */
export interface Account extends Root {
  readonly id: string
  readonly provider: string
  /** The roots of dialects that have another than the account. Absent: none has. `rootOf` reads it. */
  readonly roots?: Readonly<Record<string, Root>>
  /** The provider's API key, if headers of the dialects carry it. */
  readonly credential: string | undefined
  /** Gives requests their credential in another way. Absent: headers of the dialects carry `credential`. */
  readonly authorizer?: AccountCredential
  /** How requests differ from those of its dialects, by dialect. Absent: not at all. */
  readonly adaptations?: Readonly<Record<string, Adaptation>>
  /** Whether it serves a model, by its own name, in one of its dialects. Absent: each model in each of them. */
  readonly servesIn?: (dialect: string, upstreamModel: string) => boolean
  /** The ids of the dialects that it speaks, see `DialectInfo.id`. */
  readonly speaks: readonly string[]
  /** The dialects of `speaks` by which clients of any dialect get texts; all of `speaks` if no dialect of it is for that. */
  readonly textDialects: readonly string[]
  /** Options of its provider, see `ProviderPreset.options` and `optionsOf`. Absent: there are none. */
  readonly options?: AccountOptions
  readonly models: ModelMap
  /** `false`: its server lists no names of models that calls can have. */
  readonly listsModels?: false
  /** Its share of the calls among accounts of the same rank. */
  readonly weight: number
  /** Accounts with a lower number come first. */
  readonly priority: number
  readonly enabled: boolean
  /** The field of a chat request with the limit of output tokens. */
  readonly outputLimitField: OutputLimitField
  /** Whether it is asked for the usage of each stream of chats and completions. */
  readonly asksForUsage: boolean
  /** What its server lacks. Absent: what the provider's servers lack. */
  readonly lacks?: readonly AccountLack[]
  /** What the provider's servers lack, by dialect. Absent: nothing. */
  readonly lacksIn?: Readonly<Record<string, readonly AccountLack[]>>
  /** The HTTP statuses that statuses and error codes of its provider stand for, see `ProviderPreset.errorStatuses`. */
  readonly errorStatuses?: Readonly<Record<string, number>>
  /** See `ProviderPreset.freeCall`. `origin`: where it is, unless at the root of the dialect. */
  readonly freeCall?: { readonly path: string; readonly origin?: string }
  /** Its usage has what a call costs, in US dollars. */
  readonly reportsCost?: boolean
  /** What its models think is in `<think>` at the start of chat answers. */
  readonly thinksInText?: boolean
  /** The model that replies name, unless the client's alias decides it. */
  readonly replyModel: ReplyModel
  /** The headers and parameters of a client that it gets, besides its dialects' own. Absent: no others. */
  readonly forward?: ForwardedNames
  /** Headers that each request to it carries, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Texts besides the credential that no reply, log or trace may repeat. */
  readonly secrets?: readonly string[]
  /** Deadlines that override the gateway's. */
  readonly timeouts?: AccountTimeouts
  /** The most calls at once, in one process. Absent: there is no limit. */
  readonly maxConcurrent?: number
  /** Absent: connections to the account use the gateway's defaults. */
  readonly connection?: AccountConnection
}

/** How connections to an account are made. */
export interface AccountConnection {
  /** Equal for equal connections, which accounts share. It discloses nothing. */
  readonly id: string
  /** Milliseconds to establish it. Absent: the gateway's deadline. */
  readonly connectMs?: number
  /** The URL of a proxy, with its credentials; false: no proxy. Absent: the environment's proxy. */
  readonly proxy?: string | false
  /** Certificate authorities besides the system's, in PEM. */
  readonly ca?: string
  readonly certificate?: ClientCertificate
  /** Names, addresses and networks to which no connection may lead. */
  readonly forbidden?: readonly string[]
}

/** The certificate of the gateway for an account, and its key, in PEM. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
  readonly passphrase?: string
}

/** Names of headers and query parameters of clients that go to an account. All others stay behind. */
export interface ForwardedNames {
  /** A `*` at the end stands for any end: `x-acme-*`. */
  readonly headers: readonly string[]
  /** Exact names. `include` also names `include[]`. */
  readonly query: readonly string[]
}

/**
 * The field of a chat request with the limit of output tokens. OpenAI replaced `max_tokens`, and its
 * reasoning models refuse it; Ollama and other servers ignore the field that replaced it.
 */
export type OutputLimitField = 'max_completion_tokens' | 'max_tokens'

/** The model that a reply names: as the account reports it, or as the client asked for it. */
export type ReplyModel = 'account' | 'client'

/**
 * How an account is chosen among those of the same rank and priority: the one with the fewest calls, with the quickest
 * first output, or with the lowest price.
 */
export const strategies = ['least-busy', 'latency', 'cost'] as const

export type Strategy = (typeof strategies)[number]

/**
 * The kinds of failures after which another model may serve a call:
 *
 * - `unavailable`: no account of the model can answer
 * - `rate_limited`: all of them are at a limit, or the key is at one
 * - `context_length`: the input exceeds the context of the model
 * - `refused`: an account refuses the request for another reason
 * - `budget`: a budget of the gateway does not permit the model
 */
export const fallbackKinds = [
  'unavailable',
  'rate_limited',
  'context_length',
  'refused',
  'budget',
] as const

export type FallbackKind = (typeof fallbackKinds)[number]

/** A model that stands in for the one of an alias. */
export interface FallbackSetting {
  readonly on: readonly FallbackKind[]
  /** A platform model, or another alias, whose own fallbacks do not count. */
  readonly model: string
}

/** An additional name of a model, or settings of the model that has this name itself. */
export interface AliasSetting {
  /** A platform model, or another alias. The own name: these are settings of the model. */
  readonly model: string
  /** Default: the alias's value, then the account's. */
  readonly replyModel?: ReplyModel | undefined
  /** Default: the alias's value, then weights decide. */
  readonly strategy?: Strategy | undefined
  /** Default: the alias's value, then there are none. */
  readonly fallbacks?: readonly FallbackSetting[] | undefined
}

/** Aliases by name. A text is the `model` of an alias without further settings. */
export type AliasSettings = Readonly<Record<string, string | AliasSetting>>

/** The platform models of an account and their upstream names. */
export interface ModelMap {
  /** The account's name of a platform model, or `undefined` if the account does not have the model. */
  upstreamName(model: string): string | undefined
  /** Platform models without a wildcard, which can be listed. */
  readonly names: readonly string[]
  /** The platform models that patterns make of a name of the account's. Absent: there are no patterns. */
  readonly platformNames?: (upstreamName: string) => readonly string[]
  /** Names and wildcard patterns. Absent: `names` is complete. */
  readonly patterns?: readonly string[]
}

/**
 * Where the credential of an account comes from: an environment variable, a file, the store (sealed), or
 * the text of the configuration.
 */
export type CredentialOrigin = 'ENV' | 'FILE' | 'STORE' | 'CONFIGURATION'

/** An application of Microsoft Entra. One of the last three proves which one it is. */
export interface EntraSetting {
  readonly tenantId?: string
  readonly clientId?: string
  /** Where tokens come from: `https://login.microsoftonline.com` if absent. */
  readonly authority?: string
  readonly clientSecret?: string
  /** A file with a token of another issuer, which is read each time. */
  readonly federatedTokenFile?: string
  readonly managedIdentity?: true
}

/** An identity of AWS. Without any member: the one of the machine. */
export interface AwsSetting {
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  /** The session token of temporary keys. */
  readonly sessionToken?: string
  /** A profile of the files of AWS, in place of keys. */
  readonly profile?: string
}

/** An identity of Google Cloud. Without any member: application default credentials. */
export interface GoogleAuthSetting {
  /** A file of credentials, of any type that Google has. */
  readonly file?: string
  /** The content of such a file. */
  readonly json?: string
}

/** An account of the configuration: checked, with every default applied and every secret resolved. */
export interface AccountSetting {
  /** Names, addresses and networks that it must not reach, also where its name resolves to them. */
  forbidden?: readonly string[]
  readonly id: string
  readonly provider: string
  readonly baseUrl?: string
  /** Go before `baseUrl` and the preset. */
  readonly baseUrls?: BaseUrls
  readonly apiKey?: string
  readonly speaks?: readonly string[]
  /** As they are written: the schema of the provider has not seen them. */
  readonly options?: AccountOptions
  readonly apiVersion?: string
  readonly project?: string
  readonly location?: string
  readonly region?: string
  readonly anthropicVersion?: string
  readonly guardrail?: { readonly id: string; readonly version: string }
  readonly entra?: EntraSetting
  readonly googleAuth?: GoogleAuthSetting
  readonly aws?: AwsSetting
  readonly models: readonly string[] | Readonly<Record<string, string>>
  readonly outputLimitField?: OutputLimitField
  readonly asksForUsage: boolean
  readonly lacks?: readonly AccountLack[]
  readonly replyModel: ReplyModel
  readonly forward?: ForwardedNames
  readonly headers?: Readonly<Record<string, string>>
  /** See `Account.secrets`. */
  readonly secrets?: readonly string[]
  readonly timeouts?: AccountTimeouts
  readonly maxConcurrent?: number
  readonly prices?: PriceSettings | 'free'
  readonly quotas?: readonly QuotaSetting[]
  readonly proxy?: string | false
  readonly ca?: string
  readonly clientCertificate?: ClientCertificate
  readonly weight: number
  readonly priority: number
  readonly enabled: boolean
}
