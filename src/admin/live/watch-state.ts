import type { Account } from '../../contract/account.ts'
import type { CircuitState, FoundExclusions } from '../processes/exclusions.ts'
import type { ConfigurationState } from '../processes/presence.ts'
import type { ProcessEvent } from './events.ts'
import type { Hub } from './hub.ts'

/** The state of a process that subscribers watch. */
interface WatchedState {
  readonly accounts: readonly Account[]
  /** The exclusions of each account, by its id. */
  readonly exclusions: ReadonlyMap<string, FoundExclusions>
  readonly configuration: () => Promise<ConfigurationState>
}

/** Compares the state of this process with the state at the last look. */
interface StateWatch {
  /** Looks, and sends what has changed. Does nothing while no subscriber wants it, or while it looks. */
  look(): void
}

/** Changes of one look. A reload may change thousands of accounts. */
const mostChanges = 100

/** An account as of a look, and what keeps it out. */
interface KnownAccount {
  readonly account: Account
  readonly causes: string
}

/** Watches accounts, circuits and the configuration. The first look sends nothing. */
export function watchState(
  hub: Pick<Hub, 'emit' | 'leaveOut' | 'wanted'>,
  processId: string,
  state: () => Promise<WatchedState>,
): StateWatch {
  let accounts: Map<string, KnownAccount> | undefined
  let circuits: Map<string, CircuitState> | undefined
  let configuration: string | undefined
  let isLooking = false

  function lookAtAccounts({ accounts: all, exclusions }: WatchedState): void {
    const before = accounts
    const now = new Map(
      all.map((account) => [account.id, { account, causes: causesOf(exclusions.get(account.id)) }]),
    )
    accounts = now
    if (!before) return
    const changed = all.filter(({ id }) => !isSame(before.get(id), now.get(id)!))
    const deleted = [...before.values()].filter(({ account: { id } }) => !now.has(id))
    send([...changed, ...deleted.map(({ account }) => account)], 'ACCOUNTS', ({ id, enabled }) => ({
      type: 'AccountChanged',
      processId,
      accountId: id,
      enabled: enabled && now.has(id),
      deleted: !now.has(id),
      ...listed(exclusions.get(id)),
    }))
  }

  function lookAtCircuits({ exclusions }: WatchedState): void {
    const now = circuitsOf(exclusions)
    const before = circuits ?? now
    circuits = now
    const names = [...new Set([...before.keys(), ...now.keys()])]
    const changed = names.filter((name) => before.get(name) !== now.get(name))
    send(changed, 'CIRCUITS', (name) => {
      const [accountId = '', dialect = ''] = name.split('\n')
      const circuit = now.get(name) ?? 'CLOSED'
      return { type: 'CircuitChanged', processId, accountId, dialect, state: circuit }
    })
  }

  async function lookAtConfiguration(state: WatchedState): Promise<void> {
    const now = await state.configuration()
    if (!hub.wanted.CONFIGURATION) return
    const text = JSON.stringify(now)
    const isNew = configuration !== undefined && configuration !== text
    configuration = text
    if (isNew) hub.emit({ type: 'ConfigurationChanged', processId, ...now })
  }

  function send<Change>(
    changed: readonly Change[],
    topic: 'ACCOUNTS' | 'CIRCUITS',
    eventOf: (change: Change) => ProcessEvent,
  ): void {
    for (const change of changed.slice(0, mostChanges)) hub.emit(eventOf(change))
    if (changed.length > mostChanges) hub.leaveOut(topic, changed.length - mostChanges)
  }

  /** Forgets the last look at what no subscriber wants, and says whether subscribers want anything. */
  function forget(): boolean {
    const { ACCOUNTS, CIRCUITS, CONFIGURATION } = hub.wanted
    if (!ACCOUNTS) accounts = undefined
    if (!CIRCUITS) circuits = undefined
    if (!CONFIGURATION) configuration = undefined
    return ACCOUNTS || CIRCUITS || CONFIGURATION
  }

  async function lookNow(): Promise<void> {
    const now = await state()
    // As of now: subscribers may have come and left meanwhile.
    const { ACCOUNTS, CIRCUITS, CONFIGURATION } = hub.wanted
    if (ACCOUNTS) lookAtAccounts(now)
    if (CIRCUITS) lookAtCircuits(now)
    if (CONFIGURATION) void lookAtConfiguration(now)
  }

  return {
    look() {
      if (!forget() || isLooking) return
      isLooking = true
      void lookNow().finally(() => (isLooking = false))
    },
  }
}

/** An account without a change is the same object in the next snapshot. */
function isSame(known: KnownAccount | undefined, { account, causes }: KnownAccount): boolean {
  return known?.account === account && known.causes === causes
}

/** The text of an exclusion as far as an event shows it; the time that is left is no change. */
function causesOf(found: FoundExclusions | undefined): string {
  // Nearly all of thousands of accounts.
  if (!found) return ''
  const { exclusions } = found
  const causes = exclusions.map(({ kind, dialect, model, keyId, status, isProbing }) => [
    kind,
    dialect,
    model,
    keyId,
    status,
    isProbing,
  ])
  return JSON.stringify(causes)
}

function circuitsOf(exclusions: WatchedState['exclusions']): Map<string, CircuitState> {
  const circuits = new Map<string, CircuitState>()
  for (const [account, { circuits: own }] of exclusions) {
    for (const [dialect, state] of own) circuits.set(`${account}\n${dialect}`, state)
  }
  return circuits
}

function listed({ exclusions = [] }: Partial<FoundExclusions> = {}) {
  return { exclusions: exclusions.map((one) => ({ ...one })) }
}
