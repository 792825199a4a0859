import type { Account, AliasSettings } from './account.ts'
import type { ResolvedModel } from './call.ts'
import type { ConvertedCapability } from './conversion.ts'
import type { AccountDialect, DialectInfo } from './dialect-info.ts'
import type { Price } from './prices.ts'

/** An account that can serve a call, with the dialect of the requests to it. */
export interface Candidate {
  readonly account: Account
  /** The dialect of requests to the account. */
  readonly dialect: AccountDialect
  /** Whether that is the client's dialect, so that requests and replies need no translation. */
  readonly native: boolean
  /** The account's name of the model. */
  readonly upstreamModel: string
}

/**
 * The accounts and models of one configuration, compiled. Immutable but for `isComplete`; an update replaces
 * it.
 */
export interface Snapshot {
  readonly createdAt: Date
  /**
   * Whether the store answers at the moment. If not, it may have other accounts and aliases, and may enable other
   * accounts, than the snapshot.
   */
  isComplete(): boolean
  readonly accounts: readonly Account[]
  readonly aliases: ReadonlyMap<string, string>
  /** What `aliases` and the settings of models are compiled of. */
  readonly aliasSettings: AliasSettings
  /** Resolves a name; `undefined` if no account, enabled or disabled, has the platform model. */
  resolve(name: string): ResolvedModel | undefined
  /** Whether an enabled account has a platform model. */
  serves(model: string): boolean
  /** Whether an enabled account that has a platform model offers a capability, in any dialect. */
  can(model: string, capability: TranslatedCapability): boolean
  /** Follows aliases to the platform model's name, whether or not any account has the model. */
  platformName(name: string): string
  /**
   * The candidates: enabled accounts that have the model (`''`: any model) and speak the dialect or,
   * for a capability that can be translated, another one. Native ones first, then by priority.
   */
  pool(model: string, dialect: DialectInfo, capability: string): readonly Candidate[]
  /** Whether disabled accounts could serve the call. */
  isDisabled(model: string, dialect: DialectInfo, capability: string): boolean
  /** An enabled account by its id, with one of its dialects; `undefined` if it has left or lost either. */
  findCandidate(
    account: string,
    dialect: string,
  ): Pick<Candidate, 'account' | 'dialect'> | undefined
  /**
   * The price of an account's model by the account's own name for it; `undefined`: the model has no price. Absent from
   * a snapshot that serves no calls.
   */
  readonly priceOf?: (
    account: Pick<Account, 'id' | 'provider'>,
    model: string,
  ) => Price | 'free' | undefined
  /** Whether a strategy compares the calls at accounts, so that all are counted. Absent: none does. */
  readonly countsCalls?: boolean
  /** Names of models and aliases that can be listed, sorted. */
  readonly modelNames: readonly string[]
}

/** Capabilities that the gateway can translate between dialects. */
export type TranslatedCapability = 'generate' | 'count-tokens' | 'video' | ConvertedCapability
