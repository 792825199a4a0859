import { type AffinityOptions, affinity } from '../../plugins/affinity/index.ts'
import type { Affinity } from '../../plugins/affinity/memory.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { Outcome } from '../../src/contract/outcome.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Entry, Records } from '../../src/stores/store.ts'
import { collectLines } from '../../src/testing/lines.ts'

export const candidates = ['a', 'b'].map(
  (id) =>
    ({
      account: { id, priority: 0 },
      dialect: { id: 'chat' },
      native: true,
    }) as unknown as Candidate,
)

/** A call of the key `team` with these affinities. */
export function callLike(affinities: readonly string[], call: object = {}): Routed {
  return {
    caller: { keyId: 'team' },
    model: { name: 'm' },
    dialect: {},
    operation: { capability: 'generate' },
    snapshot: { pool: () => candidates },
    call: { model: 'm', affinity: affinities, refersTo: [], ...call },
  } as unknown as Routed
}

/** Records that tell what was asked of them. */
export function startRecords() {
  const stored = new Map<string, Affinity>()
  const reads: (readonly string[])[] = []
  const writes: (readonly Entry<Affinity>[])[] = []
  const records: Pick<Records<Affinity>, 'getMany' | 'setMany'> = {
    async getMany(names) {
      reads.push(names)
      return names.map((name) => stored.get(name))
    },
    async setMany(entries) {
      writes.push(entries)
      for (const { id, value } of entries) stored.set(id, value)
    },
  }
  return { stored, reads, writes, records }
}

/** The plugin alone, on a clock that stands still until it is moved. */
export function startAffinity(
  options: Pick<AffinityOptions, 'records'> & Partial<AffinityOptions>,
) {
  const clock = { now: 1_800_000_000_000 }
  const { sink, lines } = collectLines()
  const plugin = affinity({ log: createLog(sink), now: () => clock.now, ...options })
  return {
    clock,
    lines,
    plugin,
    prefer: (affinities: readonly string[], call?: object, among = candidates) =>
      plugin.onCandidates?.({ exchange: callLike(affinities, call), candidates: among }),
    /** Resolves when what the call leaves behind has been written. */
    async serve(by: 'a' | 'b', affinities: readonly string[], outcome: Partial<Outcome> = {}) {
      const candidate = candidates[by === 'a' ? 0 : 1] as Candidate
      const completed: Outcome = { status: 'completed', fault: 'none', ...outcome }
      const exchange = callLike(affinities)
      void plugin.onOutcome?.({
        exchange,
        candidate,
        attempt: exchange.attempt,
        outcome: completed,
      })
      await plugin.onDispose?.()
    },
  }
}
