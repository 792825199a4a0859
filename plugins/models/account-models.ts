import { setTimeout as delay } from 'node:timers/promises'

import type { Account } from '../../src/contract/account.ts'
import type { Snapshot } from '../../src/contract/candidate.ts'
import type { Log } from '../../src/lib/log.ts'
import { steadyNow } from '../../src/lib/time.ts'
import type { ListedModels } from '../../src/upstream/list-models.ts'

/** The options of `createAccountModels`. */
export interface AccountModelsOptions {
  /** Lists the models of an account. Never rejects. */
  readonly listModels: (account: Account) => Promise<ListedModels | undefined>
  readonly log: Log
  /** Whether the gateway ends: its calls fail then. */
  readonly hasEnded: () => boolean
  /** Milliseconds, on a clock that never goes back. */
  readonly now?: () => number
}

/** How long a list is fresh, and how long a failure keeps an account from being asked, in milliseconds. */
const freshMs = 10 * 60_000
const retryMs = 60_000
/** How long a request waits for accounts that are asked for the first time, in milliseconds. */
const longestWaitMs = 3_000
/** Accounts that are asked at the same time. */
const mostAtOnce = 8
/** The most models that lists of all accounts may have together. */
const mostKept = 200_000
/** The most names of models in a reply, besides the names that the configuration has. */
const mostListed = 10_000

interface Known {
  /** The last list. */
  models: readonly string[]
  /** When the account may be asked again; `Infinity` while it is. */
  dueAt: number
  failure: string | undefined
}

/**
 * Returns the function that lists the names of a snapshot: of the configuration, and those that accounts with
 * patterns list themselves. Accounts are asked when a client asks for the list, at most every ten minutes and in the
 * background: a request waits for those that have never been asked, for three seconds at most. An account that fails
 * keeps its last list. Nothing of this counts for the health of an account.
 */
export function createAccountModels(
  options: AccountModelsOptions,
): (snapshot: Snapshot) => Promise<readonly string[]> {
  const { listModels, log, hasEnded, now = steadyNow } = options
  const known = new Map<Account, Known>()
  let kept = 0
  let listed: { readonly of: Snapshot; readonly names: readonly string[] } | undefined
  /** Until the accounts that were asked last for the first time have answered, or have had their time. */
  let firstAnswers: Promise<unknown> | undefined

  /** Asks some accounts at the same time, each of them when another one has answered. */
  async function askAll(due: ReadonlyMap<Account, Known>): Promise<void> {
    const left = due.entries()
    const askInRow = async () => {
      for (const [account, entry] of left) await ask(account, entry)
    }
    await Promise.all(Array.from({ length: mostAtOnce }, askInRow))
  }

  async function ask(account: Account, entry: Known): Promise<void> {
    if (hasEnded()) return
    const result = (await listModels(account)) ?? { models: [] }
    if (hasEnded()) return
    entry.dueAt = now() + ('failure' in result ? retryMs : freshMs)
    if ('failure' in result) noteFailure(account, entry, result.failure)
    else keep(account, entry, result.models)
  }

  function noteFailure({ id, provider }: Account, entry: Known, reason: string): void {
    if (entry.failure === reason) return
    entry.failure = reason
    log.warn('the models of an account are unknown', {
      account: id,
      provider,
      reason,
      fix: 'to list models whatever the account answers, name them in its models, beside its patterns',
    })
  }

  function keep(account: Account, entry: Known, models: readonly string[]): void {
    entry.failure = undefined
    const all = kept + models.length - entry.models.length
    if (known.get(account) !== entry || all > mostKept) return
    kept = all
    entry.models = models
    listed = undefined
  }

  /** Forgets accounts that have left. */
  function forget({ accounts }: Snapshot): void {
    const present = new Set(accounts)
    for (const [account, { models }] of known) {
      if (present.has(account)) continue
      known.delete(account)
      kept -= models.length
    }
  }

  function askDue({ accounts }: Snapshot): void {
    const first = new Map<Account, Known>()
    const again = new Map<Account, Known>()
    const time = now()
    for (const account of accounts) {
      if (!account.enabled || !account.models.platformNames) continue
      const entry = known.get(account)
      if (entry && entry.dueAt > time) continue
      const due = entry ?? { models: [], dueAt: 0, failure: undefined }
      due.dueAt = Infinity
      known.set(account, due)
      ;(entry ? again : first).set(account, due)
    }
    if (again.size > 0) void askAll(again)
    if (first.size === 0) return
    const timeUp = delay(longestWaitMs, undefined, { ref: false })
    firstAnswers = Promise.race([askAll(first), timeUp])
  }

  function namesOf(snapshot: Snapshot): readonly string[] {
    const names = new Set(snapshot.modelNames)
    const most = names.size + mostListed
    for (const account of snapshot.accounts) {
      for (const name of known.get(account)?.models ?? []) {
        // An alias goes before a model of its name, and the configuration lists it if it leads anywhere.
        if (names.size < most && !snapshot.aliases.has(name)) names.add(name)
      }
    }
    return [...names].sort()
  }

  return async (snapshot) => {
    if (listed?.of !== snapshot) forget(snapshot)
    askDue(snapshot)
    await firstAnswers
    if (listed?.of !== snapshot) listed = { of: snapshot, names: namesOf(snapshot) }
    return listed.names
  }
}
