/** Measures times of calls, and how long the event loop works in one turn. */

import { median } from '../median.ts'

/** Times of calls in milliseconds. */
export interface Times {
  /** By the clock: on a busy machine other processes make it longer. */
  readonly median: number
  /** While the calls were under way, this thread worked, or waited without rest, for so long. */
  readonly cpuMedian: number
  readonly cpuLongest: number
}

/** Measures calls, and each turn of the event loop from the start to the end. */
export interface Meter {
  measure<Result>(call: () => Promise<Result>): Promise<Result>
  /** The longest turn, by the CPU time of this thread in milliseconds. */
  end(): Times & { readonly longestTurn: number }
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
      return {
        median: median(taken),
        cpuMedian: median(worked),
        cpuLongest: Math.max(...worked),
        longestTurn,
      }
    },
  }
}

/** The time that this thread has worked. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
