import { stateMetrics as metrics } from './catalog.ts'
import { type Snapshot, series } from './snapshot.ts'

/** The jobs of a kind of all keys in the store. */
export interface JobPages {
  readonly kind: string
  /** The states that have a number, also while no job is in them. */
  readonly states: readonly string[]
  walk(page: { readonly cursor?: string | undefined; readonly limit: number }): Promise<{
    readonly found: readonly { readonly value: { readonly status: string } }[]
    readonly examined: number
    readonly next?: string
  }>
}

/** At most so many jobs of a kind are counted. A store may have far more. */
const mostJobs = 5_000

const pageSize = 250

/** How long a count holds, in milliseconds: it walks through the store. */
const freshMs = 15_000

/** How long a reader waits for a count, in milliseconds. Later ones get it. */
const patienceMs = 500

/**
 * Counts the jobs of a store by kind and state, when it is asked and the last count is old. A store that
 * does not answer leaves the last count as it is.
 */
export function createJobCounts(
  jobs: () => readonly JobPages[] | undefined,
): () => Promise<Snapshot> {
  let counted: Snapshot = new Map()
  let countedAt = -Infinity
  let counting: Promise<void> | undefined

  async function countKind({ states, walk }: JobPages): Promise<Iterable<[string, number]>> {
    const counts = new Map(states.map((state) => [state, 0]))
    let cursor: string | undefined
    for (let examined = 0; examined < mostJobs;) {
      const page = await walk({ limit: pageSize, cursor })
      for (const { value } of page.found) {
        counts.set(value.status, (counts.get(value.status) ?? 0) + 1)
      }
      examined += page.examined
      cursor = page.next
      if (cursor === undefined) break
    }
    return counts
  }

  async function countAll(kinds: readonly JobPages[]): Promise<void> {
    const all = []
    for (const pages of kinds) {
      const counts = await countKind(pages)
      for (const [state, count] of counts) all.push(series([pages.kind, state], count))
    }
    counted = new Map([[metrics.jobs.name, all]])
  }

  return async () => {
    const pages = jobs()
    if (pages && !counting && performance.now() - countedAt > freshMs) {
      countedAt = performance.now()
      counting = countAll(pages)
        .catch(() => {})
        .finally(() => void (counting = undefined))
    }
    if (counting) await Promise.race([counting, afterwards(patienceMs)])
    return counted
  }
}

function afterwards(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
