import type { AccountLack } from '../generate/account-lacks.ts'
import type { AccountOptions, AccountSetting, OutputLimitField } from './account.ts'
import type { Adaptation } from './adaptation.ts'
import type { AccountCredential } from './credential.ts'
import type { StandardSchema } from './standard-schema.ts'

/** Defaults for the accounts of a provider. */
export interface ProviderPreset {
  /**
   * Of this dialect; a function gets the account's options, such as a region. A path alone stands at the host of the
   * account's own `baseUrl`. Absent: as the provider's first dialect has it, or every account has to configure its own.
   */
  readonly baseUrl?: string | ((options: AccountOptions) => string)
  /** `baseUrl` of an account gives scheme, host and port alone: the path stays the provider's. */
  readonly keepsPath?: boolean
  /**
   * The schema of `Account.options`. It checks at once, and no option is a secret. Dialects that share a provider give
   * the same schema. Absent: its accounts have no options.
   */
  readonly options?: StandardSchema
  /** Absent: `Upstream.base` of the dialect that lists the provider. */
  readonly base?: 'versioned' | 'bare'
  /** Absent: `max_completion_tokens`. */
  readonly outputLimitField?: OutputLimitField
  /** What its servers lack of this dialect, unless the account says otherwise. Absent: nothing. */
  readonly lacks?: readonly AccountLack[]
  /**
   * The HTTP statuses that its own statuses and error codes stand for, where they have another meaning elsewhere, or
   * none: `{ 498: 503 }`. Absent: there are none.
   */
  readonly errorStatuses?: Readonly<Record<string, number>>
  /**
   * The path of a `GET` that costs nothing and that its server refuses without a valid key, as dialects write paths:
   * `/v1/key`. A function returns a URL, for one at another host, which `baseUrl` of an account moves too. Absent:
   * `Upstream.freeCall`, which some servers answer without a key.
   */
  readonly freeCall?: string | ((options: AccountOptions) => string)
  /** The usage in its replies has what a call costs, in US dollars: for models without a price. */
  readonly reportsCost?: boolean
  /** What its models think is in `<think>` at the start of their answers' texts. Absent: in a member, or nowhere. */
  readonly thinksInText?: boolean
  /** The account speaks this dialect only if its `speaks` names it. */
  readonly onlyIfNamed?: boolean
  /** How requests of this dialect to its accounts differ. Absent: not at all. */
  readonly adapt?: Adaptation
  /** Whether an account serves a model, by its own name, in this dialect. Absent: each model. */
  readonly serves?: (upstreamModel: string, options: AccountOptions) => boolean
  /** `false`: what its servers list are no names that calls can have, such as deployments. Absent: as the dialect says. */
  readonly listsModels?: false
  /** The settings beside `options` that its accounts take, which the schema of `options` checks. Absent: none. */
  readonly settings?: readonly (typeof providerSettings)[number][]
  /** The kinds of credentials besides `apiKey` that its accounts take. Absent: none. */
  readonly credentials?: readonly (typeof credentialSettings)[number][]
  /** Accounts may be without a credential: servers of one's own, or those that accept the identity of the machine. */
  readonly mayLackKey?: boolean
  /** Makes the credential of an account. Absent: the dialect's headers carry `apiKey`. */
  readonly credential?: MakeCredential
}

/** A provider whose accounts speak dialects of other plugins. Its members are for all dialects that do not override them. */
export interface Provider extends Omit<ProviderPreset, 'onlyIfNamed' | 'adapt' | 'serves'> {
  /** How requests differ in each dialect, by its id: a translated request uses the first one that fits. */
  readonly dialects: Readonly<Record<string, ProviderPreset>>
}

/** Providers, by their names. */
export type Providers = Readonly<Record<string, Provider>>

/** The settings of an account that only some providers take. */
export const providerSettings = [
  'apiVersion',
  'project',
  'location',
  'region',
  'anthropicVersion',
  'guardrail',
] as const satisfies readonly (keyof AccountSetting)[]

/** The kinds of credentials besides `apiKey`. */
export const credentialSettings = [
  'entra',
  'googleAuth',
  'aws',
] as const satisfies readonly (keyof AccountSetting)[]

/** The settings from which a provider makes the credential of an account. */
export interface CredentialInput extends Pick<
  AccountSetting,
  'id' | 'apiKey' | (typeof credentialSettings)[number]
> {
  readonly options: AccountOptions
  /** An account of the store brings its credential: it never gets one of the machine on which the gateway runs. */
  readonly isStored: boolean
  /** Where the account is asked, with `baseUrl` of the account or without. */
  readonly origin: string
}

/** How a provider makes the credential of an account. `undefined`: the dialect's headers carry `apiKey`. */
export type MakeCredential = (input: CredentialInput) => AccountCredential | undefined
