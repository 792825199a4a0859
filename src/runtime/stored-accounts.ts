import type { CredentialPlaces } from '../configuration/credential-places.ts'
import {
  type CredentialAccess,
  type ReadAccount,
  readStoredAccount,
} from '../configuration/stored-accounts.ts'
import type { ChangeListener } from '../accounts/stored.ts'
import type { AccountSetting } from '../contract/account.ts'
import type { Problem } from '../contract/problems.ts'
import { type Log, describeError } from '../lib/log.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { followRecords } from '../stores/follow.ts'
import { type ListedRecord, type Store, StoreUnavailable } from '../stores/store.ts'
import { type StoredAccount, accountRecords } from '../stores/stored-accounts.ts'

/** The accounts of the store in memory. A change by another process is known within two seconds. */
export interface StoredAccounts {
  readonly accounts: readonly ReadAccount[]
  /** The last read of the store failed, so that it may have other accounts by now. */
  readonly isStale: boolean
  readonly access: CredentialAccess
  /**
   * Whether the place of the setting's credential is still permitted, and the addresses that it may not reach are
   * the same.
   */
  mayKeep(setting: AccountSetting): boolean
  /** Adds a listener for changes of `accounts`. */
  onChange(listener: ChangeListener): void
  /** Adds what has to be done, in turns of the event loop, before accounts with these settings are there. */
  beforeChange(prepare: (settings: readonly AccountSetting[]) => Promise<void>): void
  /** Reads the changes of the store now. Never rejects; `isStale` is true after a failure. */
  catchUp(): Promise<void>
  /** Reads the variables and files that name credentials again. Absent: `places` stay the same. */
  readCredentials(places?: CredentialPlaces): void
  close(): void
}

/** Follows the accounts of a store. Until the store is read for the first time, the list is empty. */
export async function followStoredAccounts(
  store: Store,
  { places: firstPlaces, ...fixed }: CredentialAccess,
  log: Log,
): Promise<StoredAccounts> {
  const listeners: ChangeListener[] = []
  const preparations: Array<(settings: readonly AccountSetting[]) => Promise<void>> = []
  let access: CredentialAccess = { ...fixed, places: firstPlaces }
  let records: readonly ListedRecord<StoredAccount>[] = []
  let known = new Map<string, Known>()
  let accounts: readonly ReadAccount[] = []
  let isClosed = false
  /** The places of credentials, also of settings from before their accounts had problems. */
  const references = new WeakMap<AccountSetting, string>()
  /** Whether an account has ever named such a place. */
  let hasReferences = false
  /** Whether the place of a setting is permitted. For a file, the answer takes calls of the system. */
  let permitted = new WeakMap<AccountSetting, boolean>()

  function readOne(id: string, value: unknown): ReadAccount {
    const one = read(id, value, access)
    const reference = one.record?.credential?.reference
    if (one.setting && reference !== undefined) references.set(one.setting, reference)
    hasReferences ||= reference !== undefined
    return one
  }

  /** Changes nothing. `isAgain`: credentials are in other places now. */
  function* readAll(isAgain: boolean): Work<Map<string, Known>> {
    const [from, next] = [records, new Map<string, Known>()]
    for (const { id, value } of from) {
      const text = JSON.stringify(value) ?? ''
      const before = known.get(id)
      const isSame = before?.text === text && !isAgain
      next.set(id, isSame ? before : sameOrNew({ text, read: readOne(id, value) }, before))
      yield
    }
    return next
  }

  function use(
    next: Map<string, Known>,
    all: readonly ReadAccount[],
    how: Parameters<ChangeListener>[0],
  ): Promise<unknown> {
    known = next
    accounts = all
    return Promise.all(listeners.map(async (listener) => listener(how)))
  }

  /** In turns of the event loop, since a store may have ten thousand accounts. */
  async function readRecords(): Promise<void> {
    for (let isAgain = false; ; isAgain = true) {
      const of = access
      const next = await runInTurns(readAll(isAgain))
      const all = [...next.values()].map(({ read: one }) => one)
      await prepareFor(all)
      if (isClosed) return
      if (of === access) return void (await use(next, all, 'in turns'))
    }
  }

  async function prepareFor(all: readonly ReadAccount[]): Promise<void> {
    const settings = all.flatMap(({ setting }) => setting ?? [])
    for (const prepare of preparations) await prepare(settings)
  }

  /** Reads only the records that name places, or all. */
  function readAgain(areAll: boolean): void {
    if (!hasReferences && !areAll) return
    const next = new Map<string, Known>()
    for (const [id, one] of known) {
      const { record } = one.read
      const isAgain = areAll || record?.credential?.reference !== undefined
      next.set(id, isAgain ? sameOrNew({ text: one.text, read: readOne(id, record) }, one) : one)
    }
    const all = [...next.values()].map(({ read: one }) => one)
    // Also if all accounts are the same: `mayKeep` may no longer permit a former setting of one.
    void use(next, all, 'at once')
  }

  const follower = await followRecords({
    records: accountRecords(store),
    onRecords(all) {
      records = all
      return readRecords()
    },
    onError: (error) =>
      log.error(
        'the store failed; its accounts stay as they were last known',
        describeError(error),
      ),
  })

  return {
    get accounts() {
      return accounts
    },
    get isStale() {
      return follower.isStale
    },
    get access() {
      return access
    },
    mayKeep(setting) {
      if (!isSameList(setting.forbidden, access.places.forbidden)) return false
      const reference = references.get(setting)
      if (reference === undefined) return true
      const known = permitted.get(setting) ?? access.places.permits(reference, setting)
      permitted.set(setting, known)
      return known
    },
    onChange: (listener) => void listeners.push(listener),
    beforeChange: (prepare) => void preparations.push(prepare),
    catchUp: () => follower.catchUp(),
    readCredentials(places = access.places) {
      const areAll = !isSameList(places.forbidden, access.places.forbidden)
      access = { ...fixed, places }
      permitted = new WeakMap()
      readAgain(areAll)
    },
    close() {
      isClosed = true
      follower.close()
    },
  }
}

/** Logs the problems of stored accounts. No problem contains a secret. */
export function logStoredProblems(
  log: Log,
  problems: ReadonlyMap<string, readonly Problem[]>,
): void {
  if (problems.size === 0) return log.info('all accounts of the store can be used')
  log.error('accounts of the store have problems and are not changed or not used', {
    accounts: [...problems.keys()],
    problems: [...problems.values()].flat().slice(0, 20).map(describe),
  })
}

function describe({ path, message, fix }: Problem): string {
  return `${path}: ${message} (${fix})`
}

function isSameList(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return one.join() === other.join()
}

/** An account and the text of its record. */
interface Known {
  readonly text: string
  readonly read: ReadAccount
}

/** Unless it has changed, an account stays the same object. */
function sameOrNew(now: Known, before: Known | undefined): Known {
  const isSame = before && now.text === before.text && textOf(now.read) === textOf(before.read)
  return isSame ? before : now
}

function textOf({ setting, problems }: ReadAccount): string {
  return JSON.stringify([setting, problems])
}

/** A damaged or hostile record harms no other. */
function read(id: string, value: unknown, access: CredentialAccess): ReadAccount {
  try {
    return readStoredAccount(id, value, access)
  } catch (error) {
    const isStore = error instanceof StoreUnavailable
    const message = isStore ? error.message : 'cannot be read'
    return {
      id,
      problems: [{ path: `accounts.${id}`, message, fix: 'see the log of the gateway' }],
    }
  }
}
