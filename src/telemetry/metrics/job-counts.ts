import type { VideoStatus } from '../../media/video.ts'
import { stateMetrics as metrics } from './catalog.ts'
import { type Snapshot, series } from './snapshot.ts'

/** The jobs of all keys in the store. */
export interface JobPages {
  walk(page: { readonly cursor?: string | undefined; readonly limit: number }): Promise<{
    readonly jobs: readonly { readonly job: { readonly kind: string; readonly status: string } }[]
    readonly examined: number
    readonly next?: string
  }>
}

/** The states that have a number, also while no job is in them. */
const states: readonly VideoStatus[] = ['queued', 'in_progress', 'completed', 'failed']

/** At most so many jobs are counted. A store may have far more. */
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
export function createJobCounts(jobs: () => JobPages | undefined): () => Promise<Snapshot> {
  let counted: Snapshot = new Map()
  let countedAt = -Infinity
  let counting: Promise<void> | undefined

  async function countAll(pages: JobPages): Promise<void> {
    const counts = new Map<string, { labels: readonly string[]; count: number }>(
      states.map((state) => [`video ${state}`, { labels: ['video', state], count: 0 }]),
    )
    let cursor: string | undefined
    for (let examined = 0; examined < mostJobs;) {
      const page = await pages.walk({ limit: pageSize, ...(cursor !== undefined && { cursor }) })
      for (const { job } of page.jobs) {
        const key = `${job.kind} ${job.status}`
        const known = counts.get(key)
        if (known) known.count++
        else counts.set(key, { labels: [job.kind, job.status], count: 1 })
      }
      examined += page.examined
      cursor = page.next
      if (cursor === undefined) break
    }
    const all = Array.from(counts.values(), ({ labels, count }) => series(labels, count))
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
