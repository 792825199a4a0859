import type { Account } from './account.ts'
import type { ResolvedModel } from './call.ts'
import type { DialectInfo } from './dialect-info.ts'

/** An account that could serve a call, and how. */
export interface Candidate {
  readonly account: Account
  /** The family spoken to it: the client's own when native. */
  readonly dialect: DialectInfo
  /** Whether it speaks what the client speaks, so that nothing is translated. */
  readonly native: boolean
  /** The account's name of the model. */
  readonly upstreamModel: string
}

/** The accounts and models of one configuration, compiled. Never changed; replaced as a whole. */
export interface Snapshot {
  readonly createdAt: Date
  readonly accounts: readonly Account[]
  readonly aliases: ReadonlyMap<string, string>
  /** The platform model behind a name, or `undefined` where no account has it, enabled or not. */
  resolve(name: string): ResolvedModel | undefined
  /** Whether an enabled account has a platform model. */
  serves(model: string): boolean
  /** Whether an enabled account that has a platform model does such work, in whatever dialect. */
  can(model: string, work: TranslatedCapability): boolean
  /** What a name stands for, whether or not any account has it. */
  platformName(name: string): string
  /**
   * Enabled accounts that have the model (`''`: any) and speak the dialect, or for a capability that
   * can be translated another one: native ones first, then by priority.
   */
  pool(model: string, dialect: DialectInfo, capability: string): readonly Candidate[]
  /** Whether there would be somebody in a pool, had an operator not disabled all of them. */
  isSwitchedOff(model: string, dialect: DialectInfo, capability: string): boolean
  /** The account as one that is spoken to so; `undefined` where it cannot be asked any more. */
  findCandidate(
    account: string,
    dialect: string,
  ): Pick<Candidate, 'account' | 'dialect'> | undefined
  /** Names that can be listed: models and aliases, sorted. */
  readonly modelNames: readonly string[]
}

/** Capabilities that accounts of several dialects have, so that clients need not speak theirs. */
export type TranslatedCapability = 'generate' | 'count-tokens' | 'video'
