import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { Work } from '../../lib/turns.ts'
import { severity } from '../accounts/state.ts'
import { bounded } from './values.ts'

/** Exclusions of one account in an answer: the most severe ones. */
export const mostExclusions = 10

/** The exclusions of an account. Callers name models and keys, so that an account may have thousands of them. */
export interface FoundExclusions {
  /** By severity, at most `mostExclusions`. */
  readonly exclusions: readonly AccountExclusion[]
  /** The states of all circuits that are not closed, by dialect. */
  readonly circuits: ReadonlyMap<string, CircuitState>
}

export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN'

/** Accounts of one step. Each may have some thousand exclusions. */
const accountsAtOnce = 8

/** All that excludes accounts now, by their ids. A plugin that throws knows nothing. */
export function* exclusionsOf(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
): Work<Map<string, FoundExclusions>> {
  const found = new Map<string, MostSevere>()
  for (const plugin of plugins) {
    for (let first = 0; first < accounts.length; first += accountsAtOnce) {
      ask(plugin, accounts.slice(first, first + accountsAtOnce), found)
      yield
    }
  }
  return new Map([...found].map(([id, mostSevere]) => [id, mostSevere.found()]))
}

function ask(
  plugin: GatewayPlugin,
  accounts: readonly Account[],
  found: Map<string, MostSevere>,
): void {
  try {
    const named = plugin.exclusions?.(accounts) ?? []
    // Most of ten thousand accounts have none.
    if (named.length === 0) return
    const asked = new Set(accounts.map(({ id }) => id))
    for (const exclusion of named) {
      const { account } = exclusion
      // A plugin that names other accounts names them at each step.
      if (!asked.has(account)) continue
      const known = found.get(account)
      if (known) known.add(exclusion)
      else found.set(account, new MostSevere(exclusion))
    }
  } catch {
    // The exclusions before the failure stay.
  }
}

/** The most severe exclusions of an account, without a sort of all. Among equals the first stay. */
class MostSevere {
  readonly #kept: { readonly exclusion: AccountExclusion; readonly severity: number }[] = []
  readonly #circuits = new Map<string, CircuitState>()

  constructor(first: AccountExclusion) {
    this.add(first)
  }

  add(exclusion: AccountExclusion): void {
    const { kind, dialect = '', isProbing } = exclusion
    // A dialect has a circuit for each model.
    if (kind === 'circuit' && this.#circuits.get(dialect) !== 'OPEN') {
      this.#circuits.set(dialect, isProbing ? 'HALF_OPEN' : 'OPEN')
    }
    const own = severity(exclusion)
    const kept = this.#kept
    if (kept.length === mostExclusions) {
      if (own <= kept[mostExclusions - 1]!.severity) return
      kept.pop()
    }
    let at = kept.length
    while (at > 0 && kept[at - 1]!.severity < own) at--
    kept.splice(at, 0, { exclusion, severity: own })
  }

  found(): FoundExclusions {
    const exclusions = this.#kept.map(({ exclusion }) => shortened(exclusion))
    return {
      exclusions,
      circuits: this.#circuits,
    }
  }
}

/** Only what the contract has: a plugin's exclusion may have more members. */
function shortened(exclusion: AccountExclusion): AccountExclusion {
  const { account, by, kind, reason, model, dialect, keyId, status, untilMs, isProbing } = exclusion
  return {
    account: bounded(account),
    by: bounded(by),
    kind,
    reason: bounded(reason),
    ...(model !== undefined && { model: bounded(model) }),
    ...(dialect !== undefined && { dialect: bounded(dialect) }),
    ...(keyId !== undefined && { keyId: bounded(keyId) }),
    ...(status !== undefined && { status }),
    ...(untilMs !== undefined && { untilMs }),
    ...(isProbing !== undefined && { isProbing }),
  }
}
