import { followRecords } from './follow.ts'
import { listAll } from './list-all.ts'
import type { Records, Store } from './store.ts'

/** Whether an account may be asked, as an operator switched it. Its configuration may forbid it too. */
export interface AccountState {
  enabled: boolean
  /** Milliseconds since 1970. */
  changedAt: number
}

/** Switches an account for every process on this store. What it is already stays as it was. */
export async function switchAccount(
  store: Store,
  id: string,
  enabled: boolean,
): Promise<AccountState> {
  const records = accountStateRecords(store)
  const known = await records.get(id)
  if (known?.enabled === enabled) return known
  const state = { enabled, changedAt: Date.now() }
  await records.set(id, state)
  return state
}

/** The states of accounts that were ever switched, by their ids. */
export async function listAccountStates(store: Store): Promise<Map<string, AccountState>> {
  const states = await listAll(accountStateRecords(store))
  return new Map(states.map(({ id, value }) => [id, value]))
}

/** The accounts that changed sides, by their ids. */
export interface Switched {
  readonly off: readonly string[]
  readonly on: readonly string[]
}

/** Which accounts are switched off, kept in memory. */
export interface AccountStates {
  /** Ids, of accounts that need not be configured. */
  readonly switchedOff: ReadonlySet<string>
  /** Told when other accounts are switched off than before. */
  onChange(listener: (switched: Switched) => void): void
  close(): void
}

export interface AccountStatesOptions {
  store: Pick<Store, 'records'>
  /**
   * Told when the store fails, and once a minute while it does. The last known states stay;
   * `isKnown` says whether there are any.
   */
  onError: (error: unknown, isKnown: boolean) => void
}

/**
 * Follows the store: an account that another process switched is known within two seconds. As long
 * as the store has never been read, none is switched off.
 */
export async function followAccountStates({
  store,
  onError,
}: AccountStatesOptions): Promise<AccountStates> {
  const listeners: Array<(switched: Switched) => void> = []
  let switchedOff: ReadonlySet<string> = new Set()
  let isKnown = false

  const follower = await followRecords({
    records: accountStateRecords(store),
    onRecords(states) {
      const before = switchedOff
      const now = new Set(states.filter(({ value }) => !value.enabled).map(({ id }) => id))
      switchedOff = now
      isKnown = true
      const switched = { off: [...now.difference(before)], on: [...before.difference(now)] }
      if (switched.off.length + switched.on.length === 0) return
      for (const listener of listeners) listener(switched)
    },
    onError: (error) => onError(error, isKnown),
  })

  return {
    get switchedOff() {
      return switchedOff
    },
    onChange: (listener) => void listeners.push(listener),
    close: () => follower.close(),
  }
}

/** The account states among a store's records. */
function accountStateRecords(store: Pick<Store, 'records'>): Records<AccountState> {
  return store.records<AccountState>('account-states', { listed: true })
}
