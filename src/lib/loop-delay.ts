import { createHistogram, performance } from 'node:perf_hooks'

import { everySeconds } from './ticker.ts'

/** How often the delay of the event loop of a busy process is measured, in milliseconds. */
const resolution = 50

/** A process that works for less than this time in a second is idle, in milliseconds. */
const idleMs = 20

/** The delays of the event loop lately, in milliseconds. */
interface LoopDelay {
  longestMs(): number
  /** The delay that 99 % of the samples of a busy process do not exceed. */
  p99Ms(): number
  close(): void
}

/** Get each delay, in milliseconds. */
const followers = new Set<(lateMs: number) => void>()
let timer: NodeJS.Timeout | undefined
let last = 0

/** The delay of the sample that is due, in milliseconds. */
const pendingMs = () => (timer ? Math.max(0, performance.now() - last - resolution) : 0)

function sample(): void {
  const lateMs = pendingMs()
  last = performance.now()
  for (const follow of followers) follow(lateMs)
}

/** Notes that the process begins to work: an idle one does not measure its event loop, and is not woken for it. */
export function noteWork(): void {
  if (timer || followers.size === 0) return
  last = performance.now()
  timer = setInterval(sample, resolution).unref()
}

/**
 * Measures the delays of the event loop in the present part of time and in the one before, of `seconds` each: a
 * question takes nothing from the answer to the next. A histogram of Node that samples each turn misses the delays by
 * events of sockets.
 */
export function measureLoopDelay(seconds: number): LoopDelay {
  const histogram = createHistogram()
  const now = () => ({
    longest: Math.max(histogram.count === 0 ? 0 : histogram.max / 1e6, pendingMs()),
    p99: histogram.count === 0 ? 0 : histogram.percentile(99) / 1e6,
  })
  let before = { longest: 0, p99: 0 }
  let passed = 0
  let used = performance.eventLoopUtilization()
  const follow = (lateMs: number) => histogram.record(Math.max(1, Math.round(lateMs * 1e6)))
  followers.add(follow)
  noteWork()
  const stop = everySeconds(1, () => {
    const { active } = performance.eventLoopUtilization(used)
    used = performance.eventLoopUtilization()
    if (active > idleMs) noteWork()
    else rest()
    if (++passed % seconds > 0) return
    before = now()
    histogram.reset()
  })
  return {
    longestMs: () => Math.max(before.longest, now().longest),
    p99Ms: () => Math.max(before.p99, now().p99),
    close() {
      stop()
      followers.delete(follow)
      if (followers.size === 0) rest()
    },
  }
}

function rest(): void {
  if (timer) sample()
  clearInterval(timer)
  timer = undefined
}
