/** Measures times of calls, and how long the event loop works in one turn. */

import { PerformanceObserver } from 'node:perf_hooks'

import { median } from '../median.ts'

/** Times of calls in milliseconds. */
export interface Times {
  /** By the clock: on a busy machine other processes make it longer. */
  readonly median: number
  /** While the calls were under way, this thread worked, or waited without rest, for so long. */
  readonly cpuMedian: number
  readonly cpuLongest: number
}

/** How long the event loop was busy, in milliseconds. */
export interface Stalls {
  /** The longest turn, by the CPU time of this thread, which Linux counts in ticks of up to 4 ms. */
  readonly longestTurn: number
  /** The longest pause of the garbage collector, by the clock. Other processes make it longer. */
  readonly longestPause: number
}

/** Measures calls, and each turn of the event loop from the start to the end. */
export interface Meter {
  measure<Result>(call: () => Promise<Result>): Promise<Result>
  end(): { readonly times: Times; readonly stalls: Stalls }
}

/**
 * Starts a meter. Until its end the event loop never rests: the CPU time of a turn is what others would have
 * waited for, and that of a call is its time without other processes of the machine.
 */
export function startMeter(): Meter {
  const taken: number[] = []
  const worked: number[] = []
  let longestTurn = 0
  let cpu = cpuMs()
  let isOver = false
  const turn = () => {
    const now = cpuMs()
    longestTurn = Math.max(longestTurn, now - cpu)
    cpu = now
    if (!isOver) setImmediate(turn)
  }
  const pauses = [0]
  const collector = new PerformanceObserver((list) => {
    pauses.push(...list.getEntries().map(({ duration }) => duration))
  })
  collector.observe({ entryTypes: ['gc'] })
  turn()
  return {
    async measure(call) {
      const [start, before] = [performance.now(), cpuMs()]
      const result = await call()
      taken.push(performance.now() - start)
      worked.push(cpuMs() - before)
      return result
    },
    end() {
      turn()
      isOver = true
      pauses.push(...collector.takeRecords().map(({ duration }) => duration))
      collector.disconnect()
      return {
        times: {
          median: median(taken),
          cpuMedian: median(worked),
          cpuLongest: Math.max(...worked),
        },
        stalls: { longestTurn, longestPause: Math.max(...pauses) },
      }
    },
  }
}

/** The time that this thread has worked. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
