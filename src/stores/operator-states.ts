import type { MaybePromise } from '../lib/maybe-promise.ts'
import { followRecords } from './follow.ts'
import { listAll } from './list-all.ts'
import { isTime } from './record-values.ts'
import { type ListedRecord, type Records, type Store, UnreadableRecord } from './store.ts'

/** The things that operators enable and disable. */
type Switchable = 'account' | 'key'

/** Whether an operator enabled or disabled an account or a key. The configuration may disable it too. */
interface OperatorState {
  enabled: boolean
  /** Milliseconds since 1970. */
  changedAt: number
  /** Why the operator disabled it. */
  reason?: string
}

/** The longest reason that is kept, in characters. The audit log has the whole one. */
const longestReason = 300

/**
 * Enables or disables an account or a key for every process on this store. An unchanged state is not
 * written.
 */
export async function setEnabled(
  store: Store,
  of: Switchable,
  id: string,
  enabled: boolean,
  reason?: string,
): Promise<OperatorState> {
  const records = stateRecords(store, of)
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

/** Forgets whether an operator enabled or disabled an account or a key. */
export async function forgetState(
  store: Pick<Store, 'records'>,
  of: Switchable,
  id: string,
): Promise<void> {
  await stateRecords(store, of).delete(id)
}

/** The states of all accounts or keys that an operator has disabled or enabled, by their ids. */
export async function listStates(
  store: Store,
  of: Switchable,
): Promise<Map<string, OperatorState>> {
  const states = await listAll(stateRecords(store, of))
  return new Map(states.map((record) => [record.id, readState(record) ?? unreadableState]))
}

/** The ids of accounts or keys that were just disabled (`off`) or enabled (`on`). */
export interface StateChanges {
  readonly off: readonly string[]
  readonly on: readonly string[]
}

type StateListener = (changes: StateChanges) => MaybePromise<void>

/** The disabled accounts or keys, in memory. */
export interface OperatorStates {
  /** The ids of disabled ones, which need not be configured. */
  readonly disabled: ReadonlySet<string>
  /** The last read of the store failed, so that others may be disabled by now. */
  readonly isStale: boolean
  /** Why an operator disabled this id. Absent: no reason is known. */
  reasonOf(id: string): string | undefined
  /** Adds a listener for changes of `disabled`. `catchUp` waits for it. */
  onChange(listener: StateListener): void
  /** Reads the changes of the store now. Never rejects; `isStale` is true after a failure. */
  catchUp(): Promise<void>
  close(): void
}

/** The options of `followStates`. */
interface FollowStatesOptions {
  store: Pick<Store, 'records'>
  of: Switchable
  /**
   * Called when the store fails, and once a minute while it does. The last known states stay in
   * use. `isKnown` is false if the store was never read.
   */
  onError: (error: unknown, isKnown: boolean) => void
}

/** The state of a record; `undefined` for a damaged one. */
function readState({ value }: ListedRecord<OperatorState>): OperatorState | undefined {
  const state: Partial<Record<keyof OperatorState, unknown>> = Object(value)
  if (!value || typeof state.enabled !== 'boolean') return undefined
  const { enabled, reason } = state
  return {
    enabled,
    changedAt: isTime(state.changedAt) ? state.changedAt : 0,
    ...(typeof reason === 'string' && { reason }),
  }
}

/** Most changed states belong to disabled accounts and keys. */
const unreadableState: OperatorState = { enabled: false, changedAt: 0 }

/**
 * Follows the store: a change by another process is known within two seconds. Until the store is
 * read for the first time, nothing is disabled. An account or a key whose record is damaged keeps its
 * last known state; if none is known, it is disabled.
 */
export async function followStates({
  store,
  of,
  onError,
}: FollowStatesOptions): Promise<OperatorStates> {
  const listeners: StateListener[] = []
  let disabled: ReadonlySet<string> = new Set()
  let reasons: ReadonlyMap<string, string> = new Map()
  let isKnown = false

  const follower = await followRecords({
    records: stateRecords(store, of),
    async onRecords(states) {
      const before = disabled
      const isEnabled = (record: ListedRecord<OperatorState>) =>
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

/** The states in a store. */
function stateRecords(store: Pick<Store, 'records'>, of: Switchable): Records<OperatorState> {
  return store.records<OperatorState>(`${of}-states`, { listed: true })
}
