import type { AccountSetting } from '../contract/account.ts'
import type { OfferedDialects } from '../contract/plugin.ts'
import type { Problem } from '../contract/problems.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { Work } from '../lib/turns.ts'
import { compileSetting } from './compile.ts'

/** An account of the store, with its setting or with the problems that it has. */
interface StoredSetting {
  readonly id: string
  /** The same object as long as the account stays the same. */
  readonly setting?: AccountSetting
  readonly problems: readonly Problem[]
}

/** Takes a change of the accounts: at once, or in turns of the event loop. Resolves when it has taken effect. */
export type ChangeListener = (how: 'at once' | 'in turns') => MaybePromise<void>

/** The accounts of the store, in memory. */
export interface StoredSource {
  readonly accounts: readonly StoredSetting[]
  /** Whether an account with problems may go on with this setting, from before it had them. */
  mayKeep(setting: AccountSetting): boolean
  /** Adds a listener for changes of `accounts`. */
  onChange(listener: ChangeListener): void
  /** Adds what has to be done, in turns of the event loop, before accounts with these settings are there. */
  beforeChange(prepare: (settings: readonly AccountSetting[]) => Promise<void>): void
}

/** The stored accounts that a snapshot can have, and the problems of the others by account id. */
interface StoredPart {
  readonly settings: readonly AccountSetting[]
  readonly problems: ReadonlyMap<string, readonly Problem[]>
}

/**
 * Creates the function that sorts out the accounts of the store, one at a step: those whose ids the
 * configuration has, and those with problems, which stay as they were before they had them if they may.
 */
export function createStoredPart(
  dialects: OfferedDialects,
): (
  source: Pick<StoredSource, 'accounts' | 'mayKeep'>,
  configured: ReadonlySet<string>,
) => Work<StoredPart> {
  let sound = new Map<string, AccountSetting>()

  return function* ({ accounts, mayKeep }, configured) {
    const kept = (id: string) => {
      const before = sound.get(id)
      return before && mayKeep(before) ? before : undefined
    }
    const next = new Map<string, AccountSetting>()
    const problems = new Map<string, readonly Problem[]>()
    for (const { id, setting, problems: known } of accounts) {
      const found = setting ? [...known, ...problemsOfAccount(setting, dialects)] : known
      const usable = found.length === 0 ? setting : kept(id)
      if (usable) next.set(id, usable)
      if (configured.has(id)) problems.set(id, [clashOf(id)])
      else if (found.length > 0) problems.set(id, found)
      yield
    }
    sound = next
    return { settings: [...next.values()].filter(({ id }) => !configured.has(id)), problems }
  }
}

/** An account whose id the configuration and the store have. */
function clashOf(id: string): Problem {
  return {
    path: `accounts.${id}`,
    message: 'is in the configuration and in the store; the configuration wins',
    fix: `delete one of the two: deleteAccount of the admin API deletes the store's`,
  }
}

/**
 * The problems that only the dialects find in an account: an unknown provider or dialect, no address. Of the same
 * setting they are found once.
 */
export function problemsOfAccount(
  setting: AccountSetting,
  dialects: OfferedDialects,
): readonly Problem[] {
  const compiled = compileSetting(setting, dialects)
  if ('account' in compiled) return []
  return compiled.problems.map(({ path, ...rest }) => ({
    path: `accounts.${setting.id}${path}`,
    ...rest,
  }))
}
