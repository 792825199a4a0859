import { ConfigurationError, type Problem } from '../contract/problems.ts'
import type { AccountSetting, AliasSettings } from '../contract/account.ts'
import type { OfferedDialects } from '../contract/plugin.ts'
import type { OperatorStates } from '../stores/operator-states.ts'
import type { PriceSettings } from '../contract/prices.ts'
import type { StoredAliases } from '../stores/aliases.ts'
import type { PriceRecord } from '../stores/prices.ts'
import type { FollowedSettings } from '../stores/stored-settings.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { type Work, run, runInTurns } from '../lib/turns.ts'
import { compileSetting, compileSteps } from './compile.ts'
import { createPriceOf } from './prices.ts'
import { createRenewal } from './renewal.ts'
import { type StoredSource, createStoredPart } from './stored.ts'
import { mergeAliases } from './stored-aliases.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** The accounts, aliases and prices of a configuration. */
export interface AccountsConfigured {
  readonly accounts: readonly AccountSetting[]
  readonly aliases: AliasSettings
  /** Prices that all accounts share. */
  readonly prices?: PriceSettings | undefined
}

/** Options of `createLiveAccounts`. */
interface LiveAccountsOptions {
  readonly configured: AccountsConfigured
  /** Known problems of the configuration: they are thrown with the problems of the accounts. */
  readonly problems?: readonly Problem[]
  readonly dialects: OfferedDialects
  readonly states: Pick<OperatorStates, 'disabled' | 'onChange'>
  /** The accounts of the store. Absent: the store has no accounts. */
  readonly stored?: StoredSource
  /** Called with the problems of the stored accounts, by account id, when they change. */
  readonly onStoredProblems?: (problems: ReadonlyMap<string, readonly Problem[]>) => void
  /** The aliases of the store. The configuration's aliases override them. */
  readonly aliases?: Pick<StoredAliases, 'settings' | 'onChange'>
  /** The prices of the store. */
  readonly prices?: Pick<FollowedSettings<PriceRecord>, 'records' | 'onChange'>
  /** Whether the last reads of states, accounts and aliases have succeeded. Default: they have. */
  readonly isComplete?: () => boolean
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
   * The problems of the stored accounts, by account id. An account with problems stays as it was before
   * it had them; if it was never without, or may not stay (`StoredSource`), it does not exist here.
   */
  readonly storedProblems: ReadonlyMap<string, readonly Problem[]>
  /**
   * Replaces the configuration. Throws `ConfigurationError` for `problems` and for problems of the
   * accounts; then nothing changes.
   */
  configure(configured: AccountsConfigured, problems?: readonly Problem[]): void
  /**
   * Compiles the accounts of a configuration in turns of the event loop, so that `configure` and `check` of it
   * take little time. Changes nothing.
   */
  prepare(configured: Pick<AccountsConfigured, 'accounts'>): Promise<void>
  /** Throws as `configure` does, and changes nothing. */
  check(configured: AccountsConfigured, problems?: readonly Problem[]): void
}

/**
 * Combines the configuration with the store: the accounts of both, of which the configuration's win. An
 * account is enabled if neither of them disables it. An account without a change stays the same object.
 * Throws `ConfigurationError` for problems of the configuration, and never for problems of stored accounts.
 */
export function createLiveAccounts(options: LiveAccountsOptions): LiveAccounts {
  const { dialects, states, stored, update, onStoredProblems = () => {} } = options
  const { isComplete = () => true } = options
  const storedPart = createStoredPart(dialects)
  const disableStored = createDisable()
  let { configured } = options
  let current = run(compile(configured, undefined, options.problems))
  if (current.storedProblems.size > 0) onStoredProblems(current.storedProblems)

  function* compile(
    { accounts, aliases, prices }: AccountsConfigured,
    previous: Snapshot | undefined,
    known: readonly Problem[] = [],
  ): Work<Compiled> {
    const ids = new Set(accounts.map(({ id }) => id))
    const fromStore = yield* storedPart(stored ?? noAccounts, ids)
    // Only the configuration's accounts can still have problems.
    const effective: AccountSetting[] = []
    for (const account of [...accounts, ...fromStore.settings]) {
      effective.push(disableStored(account, states.disabled))
      yield
    }
    const merged = options.aliases ? mergeAliases(aliases, options.aliases.settings) : aliases
    yield
    const { snapshot, problems } = yield* compileSteps(effective, merged, dialects, previous)
    const set = [...(options.prices?.records.values() ?? [])]
    const all = [...known, ...problems]
    if (all.length > 0) throw new ConfigurationError(all)
    return {
      snapshot: { ...snapshot, isComplete, priceOf: createPriceOf(prices, effective, set) },
      size: snapshot.accounts.filter(({ enabled }) => enabled).length,
      storedProblems: fromStore.problems,
    }
  }

  function use(next: Compiled): void {
    const hasChanged = textOf(next.storedProblems) !== textOf(current.storedProblems)
    current = next
    if (hasChanged) onStoredProblems(next.storedProblems)
    update(next.snapshot)
  }

  const renewal = createRenewal(() => compile(configured, current.snapshot), use)

  function* compileAll(settings: readonly AccountSetting[]): Work<void> {
    for (const setting of settings) {
      compileSetting(disableStored(setting, states.disabled), dialects)
      yield
    }
  }

  const prepare = (settings: readonly AccountSetting[]) => runInTurns(compileAll(settings))

  states.onChange(() => renewal.renew())
  stored?.onChange((how) => (how === 'at once' ? renewal.renewNow() : renewal.renew()))
  stored?.beforeChange(prepare)
  options.aliases?.onChange(() => renewal.renew())
  options.prices?.onChange(() => renewal.renew())

  return {
    get snapshot() {
      return current.snapshot
    },
    get configured() {
      return configured
    },
    get size() {
      return current.size
    },
    get storedProblems() {
      return current.storedProblems
    },
    prepare: (next) => prepare(next.accounts),
    check: (next, problems) => void run(compile(next, current.snapshot, problems)),
    configure(next, problems) {
      const compiled = run(compile(next, current.snapshot, problems))
      configured = next
      use(compiled)
      renewal.startAgain()
    },
  }
}

const noAccounts = { accounts: [], mayKeep: () => false }

interface Compiled {
  readonly snapshot: Snapshot
  readonly storedProblems: ReadonlyMap<string, readonly Problem[]>
  /** The enabled accounts. Counted once: heartbeats ask for it many times a second while operators look. */
  readonly size: number
}

function textOf(problems: Compiled['storedProblems']): string {
  return JSON.stringify([...problems])
}

/** Creates the function that disables an account: of the same setting always the same object. */
function createDisable() {
  const off = computedOnce((account: AccountSetting) => ({ ...account, enabled: false }))
  return (account: AccountSetting, disabled: ReadonlySet<string>): AccountSetting =>
    disabled.has(account.id) ? off(account) : account
}
