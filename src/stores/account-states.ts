import type { MaybePromise } from '../lib/maybe-promise.ts'
import { followRecords } from './follow.ts'
import { listAll } from './list-all.ts'
import { isTime } from './record-values.ts'
import { type ListedRecord, type Records, type Store, UnreadableRecord } from './store.ts'

/** Whether an operator enabled or disabled an account. The configuration may disable it too. */
interface AccountState {
  enabled: boolean
  /** Milliseconds since 1970. */
  changedAt: number
  /** Why the operator disabled it. */
  reason?: string
}

/** The longest reason that is kept, in characters. The audit log has the whole one. */
const longestReason = 300

/**
 * Enables or disables an account for every process on this store. An unchanged state is not
 * written.
 */
export async function setAccountEnabled(
  store: Store,
  id: string,
  enabled: boolean,
  reason?: string,
): Promise<AccountState> {
  const records = accountStateRecords(store)
  const value = await records.get(id).catch(unlessUnreadable)
  const known = readState({ id, value })
  if (known?.enabled === enabled) return known
  const state = {
    enabled,
    changedAt: Date.now(),
    ...(!enabled && reason !== undefined && { reason: reason.slice(0, longestReason) }),
  }
  await records.set(id, state)
  return state
}

/** Forgets whether an operator enabled or disabled an account. */
export async function forgetAccountState(store: Pick<Store, 'records'>, id: string): Promise<void> {
  await accountStateRecords(store).delete(id)
}

/** The states of all accounts that an operator has disabled or enabled, by their ids. */
export async function listAccountStates(store: Store): Promise<Map<string, AccountState>> {
  const states = await listAll(accountStateRecords(store))
  return new Map(states.map((record) => [record.id, readState(record) ?? unreadableState]))
}

/** The ids of accounts that were just disabled (`off`) or enabled (`on`). */
export interface AccountChanges {
  readonly off: readonly string[]
  readonly on: readonly string[]
}

type StateListener = (changes: AccountChanges) => MaybePromise<void>

/** The disabled accounts, in memory. */
export interface AccountStates {
  /** The ids of disabled accounts, which need not be configured. */
  readonly disabled: ReadonlySet<string>
  /** The last read of the store failed, so that other accounts may be disabled by now. */
  readonly isStale: boolean
  /** Why an operator disabled an account. Absent: no reason is known. */
  reasonOf(id: string): string | undefined
  /** Adds a listener for changes of `disabled`. `catchUp` waits for it. */
  onChange(listener: StateListener): void
  /** Reads the changes of the store now. Never rejects; `isStale` is true after a failure. */
  catchUp(): Promise<void>
  close(): void
}

/** The options of `followAccountStates`. */
interface AccountStatesOptions {
  store: Pick<Store, 'records'>
  /**
   * Called when the store fails, and once a minute while it does. The last known states stay in
   * use. `isKnown` is false if the store was never read.
   */
  onError: (error: unknown, isKnown: boolean) => void
}

/** The state of a record; `undefined` for a damaged one. */
function readState({ value }: ListedRecord<AccountState>): AccountState | undefined {
  const state: Partial<Record<keyof AccountState, unknown>> = Object(value)
  if (!value || typeof state.enabled !== 'boolean') return undefined
  const { enabled, reason } = state
  return {
    enabled,
    changedAt: isTime(state.changedAt) ? state.changedAt : 0,
    ...(typeof reason === 'string' && { reason }),
  }
}

/** Most changed states belong to disabled accounts. */
const unreadableState: AccountState = { enabled: false, changedAt: 0 }

/**
 * Follows the store: a change by another process is known within two seconds. Until the store is
 * read for the first time, no account is disabled. An account whose record is damaged keeps its last
 * known state; if none is known, it is disabled.
 */
export async function followAccountStates({
  store,
  onError,
}: AccountStatesOptions): Promise<AccountStates> {
  const listeners: StateListener[] = []
  let disabled: ReadonlySet<string> = new Set()
  let reasons: ReadonlyMap<string, string> = new Map()
  let isKnown = false

  const follower = await followRecords({
    records: accountStateRecords(store),
    async onRecords(states) {
      const before = disabled
      const isEnabled = (record: ListedRecord<AccountState>) =>
        readState(record)?.enabled ?? (isKnown && !before.has(record.id))
      const now = new Set<string>()
      const why = new Map<string, string>()
      for (const record of states) {
        if (!isEnabled(record)) now.add(record.id)
        const reason = readState(record)?.reason
        if (reason !== undefined) why.set(record.id, reason)
      }
      disabled = now
      reasons = why
      isKnown = true
      const changes = { off: [...now.difference(before)], on: [...before.difference(now)] }
      if (changes.off.length + changes.on.length === 0) return
      for (const listener of listeners) await listener(changes)
    },
    onError: (error) => onError(error, isKnown),
  })

  return {
    get disabled() {
      return disabled
    },
    get isStale() {
      return follower.isStale
    },
    reasonOf: (id) => reasons.get(id),
    onChange: (listener) => void listeners.push(listener),
    catchUp: () => follower.catchUp(),
    close: () => follower.close(),
  }
}

/** A damaged record is written again. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableRecord)) throw error
}

/** The account states in a store. */
function accountStateRecords(store: Pick<Store, 'records'>): Records<AccountState> {
  return store.records<AccountState>('account-states', { listed: true })
}
