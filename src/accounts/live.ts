import { ConfigurationError, type Problem } from '../contract/problems.ts'
import type { AccountSetting, AliasSettings } from '../contract/account.ts'
import type { Dialect } from '../contract/dialect.ts'
import type { AccountStates } from '../stores/account-states.ts'
import type { StoredAliases } from '../stores/aliases.ts'
import { compileSnapshot } from './compile.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { mergeAliases } from './stored-aliases.ts'

/** The accounts and aliases of a configuration. */
export interface AccountsConfigured {
  readonly accounts: readonly AccountSetting[]
  readonly aliases: AliasSettings
}

/** Options of `createLiveAccounts`. */
interface LiveAccountsOptions {
  readonly configured: AccountsConfigured
  /** Known problems of the configuration: they are thrown with those of the accounts. */
  readonly problems?: readonly Problem[]
  readonly dialects: readonly Dialect[]
  readonly states: Pick<AccountStates, 'disabled' | 'onChange'>
  /** The aliases of the store. Those of the configuration override them. */
  readonly aliases?: Pick<StoredAliases, 'settings' | 'onChange'>
  /** Called with each snapshot except the first. */
  readonly update: (snapshot: Snapshot) => void
}

/** The accounts of a running gateway. */
export interface LiveAccounts {
  readonly snapshot: Snapshot
  /** The configuration in use, without the store. */
  readonly configured: AccountsConfigured
  /** The number of enabled accounts. */
  readonly size: number
  /**
   * Replaces the configuration. Throws `ConfigurationError` for `problems` and for problems of the
   * accounts; then nothing changes.
   */
  configure(configured: AccountsConfigured, problems?: readonly Problem[]): void
}

/**
 * Combines the configuration with the store: an account is enabled if neither of them disables it. An
 * account without a change stays the same object. Throws `ConfigurationError`.
 */
export function createLiveAccounts(options: LiveAccountsOptions): LiveAccounts {
  const { dialects, states, update } = options
  let { configured } = options
  let snapshot = compile(configured, undefined, options.problems)

  function compile(
    { accounts, aliases }: AccountsConfigured,
    previous: Snapshot | undefined,
    known: readonly Problem[] = [],
  ): Snapshot {
    const effective = accounts.map((account) => disableStored(account, states.disabled))
    const merged = options.aliases ? mergeAliases(aliases, options.aliases.settings) : aliases
    const compiled = compileSnapshot(effective, merged, dialects, previous)
    const problems = [...known, ...compiled.problems]
    if (problems.length > 0) throw new ConfigurationError(problems)
    return compiled.snapshot
  }

  function recompile(): void {
    snapshot = compile(configured, snapshot)
    update(snapshot)
  }
  states.onChange(recompile)
  options.aliases?.onChange(recompile)

  return {
    get snapshot() {
      return snapshot
    },
    get configured() {
      return configured
    },
    get size() {
      return snapshot.accounts.filter(({ enabled }) => enabled).length
    },
    configure(next, problems) {
      snapshot = compile(next, snapshot, problems)
      configured = next
      update(snapshot)
    },
  }
}

function disableStored(account: AccountSetting, disabled: ReadonlySet<string>): AccountSetting {
  return disabled.has(account.id) ? { ...account, enabled: false } : account
}
