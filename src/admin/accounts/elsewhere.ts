import type { AccountExclusion } from '../../contract/call.ts'
import type { KnownProcess } from '../processes/heartbeat.ts'
import type { AdminServices } from '../services.ts'

/** What excludes accounts in one process, by their ids. The record of a process is read once. */
const known = new WeakMap<KnownProcess, ReadonlyMap<string, readonly AccountExclusion[]>>()

/**
 * What excludes accounts in the other processes, as of their last heartbeats. Processes that are known from
 * before an outage of the store do not count. Never rejects.
 */
export async function exclusionsElsewhere({
  processes,
  now,
}: Pick<AdminServices, 'processes' | 'now'>): Promise<(accountId: string) => AccountExclusion[]> {
  const { processes: all } = await processes.view()
  const others = all.filter(({ id, isStale }) => id !== processes.id && !isStale).map(excludedIn)
  return (accountId) =>
    others
      .flatMap((excluded) => excluded.get(accountId) ?? [])
      .filter(({ kind, untilMs = Infinity }) => kind !== 'cooling' || untilMs > now())
}

function excludedIn(process: KnownProcess): ReadonlyMap<string, readonly AccountExclusion[]> {
  const before = known.get(process)
  if (before) return before
  const excluded = process.accounts.filter(({ exclusions }) => exclusions.length > 0)
  // Only zod's type of the optional members differs.
  const entries = excluded.map(
    ({ id, exclusions }) => [id, exclusions as AccountExclusion[]] as const,
  )
  const found = new Map(entries)
  known.set(process, found)
  return found
}

/** The exclusions of all processes: of those that concern the same calls, the one that ends last. */
export function mergeExclusions(
  here: readonly AccountExclusion[],
  elsewhere: readonly AccountExclusion[],
): readonly AccountExclusion[] {
  if (elsewhere.length === 0) return here
  const merged = new Map<string, AccountExclusion>()
  for (const one of [...here, ...elsewhere]) {
    const { by, kind, dialect, model, keyId } = one
    const calls = JSON.stringify([by, kind, dialect, model, keyId])
    const other = merged.get(calls)
    if (!other || endOf(one) > endOf(other)) merged.set(calls, one)
  }
  return [...merged.values()]
}

function endOf({ untilMs = Infinity }: AccountExclusion): number {
  return untilMs
}
