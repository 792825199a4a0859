import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { ConfigurationState } from '../processes/record.ts'
import type { ProcessEvent } from './events.ts'
import type { Hub } from './hub.ts'

/** The state of a process that subscribers watch. */
interface WatchedState {
  readonly accounts: readonly Account[]
  readonly exclusions: ReadonlyMap<string, readonly AccountExclusion[]>
  readonly configuration: ConfigurationState
}

/** Compares the state of this process with that of the last look. */
interface StateWatch {
  /** Looks, and sends what has changed. Does nothing while no subscriber wants it. */
  look(): void
}

/** Changes of one look. A reload may change thousands of accounts. */
const mostChanges = 100

type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN'

/** Watches accounts, circuits and the configuration. The first look sends nothing. */
export function watchState(
  hub: Pick<Hub, 'emit' | 'leaveOut' | 'wanted'>,
  processId: string,
  state: () => WatchedState,
): StateWatch {
  let accounts: Map<string, string> | undefined
  let circuits: Map<string, CircuitState> | undefined
  let configuration: string | undefined

  function lookAtAccounts({ accounts: all, exclusions }: WatchedState): void {
    const now = new Map(
      all.map((account) => [account.id, summaryOf(account, exclusions.get(account.id))]),
    )
    const changed = all.filter(({ id }) => accounts && accounts.get(id) !== now.get(id))
    accounts = now
    send(changed, 'ACCOUNTS', ({ id, enabled }) => ({
      type: 'AccountChanged',
      processId,
      accountId: id,
      enabled,
      exclusions: (exclusions.get(id) ?? []).map((one) => ({ ...one })),
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

  function lookAtConfiguration({ configuration: now }: WatchedState): void {
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

  return {
    look() {
      const { ACCOUNTS, CIRCUITS, CONFIGURATION } = hub.wanted
      if (!ACCOUNTS) accounts = undefined
      if (!CIRCUITS) circuits = undefined
      if (!CONFIGURATION) configuration = undefined
      if (!ACCOUNTS && !CIRCUITS && !CONFIGURATION) return
      const now = state()
      if (ACCOUNTS) lookAtAccounts(now)
      if (CIRCUITS) lookAtCircuits(now)
      if (CONFIGURATION) lookAtConfiguration(now)
    },
  }
}

/** Changes of these matter; the time that is left does not. */
function summaryOf({ enabled }: Account, exclusions: readonly AccountExclusion[] = []): string {
  // Nearly all of thousands of accounts.
  if (exclusions.length === 0) return enabled ? 'enabled' : 'disabled'
  const causes = exclusions.map(({ kind, dialect, model, keyId, status, isProbing }) => [
    kind,
    dialect,
    model,
    keyId,
    status,
    isProbing,
  ])
  return JSON.stringify([enabled, causes])
}

function circuitsOf(exclusions: WatchedState['exclusions']): Map<string, CircuitState> {
  const circuits = new Map<string, CircuitState>()
  for (const [account, causes] of exclusions) {
    for (const { kind, dialect = '', isProbing } of causes) {
      if (kind === 'circuit') {
        circuits.set(`${account}\n${dialect}`, isProbing ? 'HALF_OPEN' : 'OPEN')
      }
    }
  }
  return circuits
}
