import type { ConfigurationInUse } from '../../configuration/in-use.ts'
import type { FoundExclusions } from './exclusions.ts'
import type { Monitor } from './monitor.ts'
import { type ConfigurationState, type ProcessAccount, bounded, mostAccounts } from './record.ts'

/** Accounts of a heartbeat, and how many it leaves out. */
interface AccountsPart {
  readonly accounts: ProcessAccount[]
  readonly moreAccounts: number
  /** Those of them that are in trouble. */
  readonly moreInTrouble: number
}

/** The accounts of one heartbeat, in characters of JSON. One of them has a few hundred as a rule. */
const longestAccounts = 131_072

/**
 * The accounts that a heartbeat shows: those in trouble, then those in flight, then the most called; so
 * many that others can read it in one turn of their event loops.
 */
export function describeAccounts(
  monitor: Pick<Monitor, 'inFlight' | 'accounts'>,
  exclusions: ReadonlyMap<string, FoundExclusions>,
): AccountsPart {
  const inFlight = countByAccount(monitor)
  const troubled = [...exclusions.keys()]
  const busy = [...inFlight.keys()].filter((id) => !exclusions.has(id))
  const used = [...monitor.accounts.keys()].filter((id) => !exclusions.has(id) && !inFlight.has(id))
  const calls = (id: string) => monitor.accounts.get(id)?.calls ?? 0
  const ids = [...troubled, ...busy]
  const total = ids.length + used.length
  if (ids.length < mostAccounts) ids.push(...used.toSorted((a, b) => calls(b) - calls(a)))
  const accounts: ProcessAccount[] = []
  let size = 0
  for (const id of ids.slice(0, mostAccounts)) {
    const found = exclusions.get(id)
    const account = {
      id: bounded(id),
      inFlight: inFlight.get(id) ?? 0,
      calls: calls(id),
      failures: monitor.accounts.get(id)?.failures ?? 0,
      exclusions: [...(found?.exclusions ?? [])],
      moreExclusions: found?.moreExclusions ?? 0,
    }
    size += JSON.stringify(account).length
    if (size > longestAccounts) break
    accounts.push(account)
  }
  return {
    accounts,
    moreAccounts: total - accounts.length,
    // They come first.
    moreInTrouble: Math.max(0, troubled.length - accounts.length),
  }
}

function countByAccount({ inFlight }: Pick<Monitor, 'inFlight'>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { progress } of inFlight) {
    const id = progress.attempt?.candidate.account.id
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Problems of a configuration in a heartbeat. */
const mostProblems = 20

/** Says which configuration is in use. */
export function describeConfiguration(
  inUse: ConfigurationInUse,
): () => Promise<ConfigurationState> {
  return async () => {
    let hash = await inUse.hash()
    // A reload may have taken effect meanwhile.
    for (let again = await inUse.hash(); again !== hash; again = await inUse.hash()) hash = again
    const { loadedAt, problems } = inUse
    const shown = problems.slice(0, mostProblems).map(({ path, message, fix }) => ({
      path: bounded(path),
      message: bounded(message),
      fix: bounded(fix),
    }))
    return { hash, loadedAt, problems: shown }
  }
}
