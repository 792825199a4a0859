import { createHistogram, performance } from 'node:perf_hooks'

/** An object with deadlines of its own, which a ticker lets it check periodically. */
export interface Watched {
  /** Checks its deadlines. `now` is in milliseconds, as of `performance.now()`. */
  tick(now: number): void
  /** Ends its work, for `reason`. Without one the process is about to end. */
  interrupt?(reason?: Error): void
  /** The object that it works for, see `Ticker.interrupt`. */
  readonly owner?: object
  /** Its index in the ticker. Only the ticker writes it. */
  slot?: number | undefined
}

/** One timer for all streams and reads, so that setting a deadline is an assignment. */
export interface Ticker {
  add(watched: Watched): void
  delete(watched: Watched): void
  /** Interrupts all watched objects, or one owner's; returns how many. */
  interrupt(owner?: object, reason?: Error): number
  close(): void
}

/** Ignores errors, so that the deadlines of the other objects are still checked. */
function tickSafely(watched: Watched, now: number): void {
  try {
    watched.tick(now)
  } catch {
    // Attempts report their own defects.
  }
}

/**
 * Ticks every `everyMs` milliseconds while it watches an object. It never keeps the process alive.
 *
 * The objects are in an array. A `Set` that grows and shrinks with every request leaves a chain of
 * old tables behind, which keeps dead objects reachable (seen in GC traces).
 */
export function createTicker(everyMs = 100): Ticker {
  const all: Watched[] = []
  let timer: NodeJS.Timeout | undefined

  function tickAll(): void {
    const now = performance.now()
    // Backwards: an object that leaves is replaced by the last one, which has been checked already.
    for (let index = all.length - 1; index >= 0; index--) {
      const watched = all[index]
      if (watched) tickSafely(watched, now)
    }
    if (all.length === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(watched) {
      watched.slot = all.push(watched) - 1
      timer ??= setInterval(tickAll, everyMs).unref()
    },
    delete(watched) {
      const { slot } = watched
      const last = all.at(-1)
      if (slot === undefined || last === undefined || all[slot] !== watched) return
      all[slot] = last
      last.slot = slot
      all.pop()
      watched.slot = undefined
    },
    interrupt(owner, reason) {
      const concerned = owner ? all.filter((watched) => watched.owner === owner) : all.slice()
      for (const watched of concerned) watched.interrupt?.(reason)
      return concerned.length
    },
    close: stop,
  }
}

/** Work that a process repeats. */
interface Repeated {
  readonly seconds: number
  readonly task: () => void
  /** The ticks until it is due. */
  left: number
}

const repeated = new Set<Repeated>()
let everySecond: NodeJS.Timeout | undefined

/**
 * Repeats a task until the returned function is called. All repeated tasks of the process share one timer of a
 * second, so that an idle process sleeps between its ticks. It never keeps the process alive.
 */
export function everySeconds(seconds: number, task: () => void): () => void {
  const one = { seconds, task, left: seconds }
  repeated.add(one)
  everySecond ??= setInterval(repeatAll, 1_000).unref()
  return () => {
    repeated.delete(one)
    if (repeated.size > 0) return
    clearInterval(everySecond)
    everySecond = undefined
  }
}

function repeatAll(): void {
  for (const one of repeated) {
    if (--one.left > 0) continue
    one.left = one.seconds
    try {
      one.task()
    } catch (error) {
      // A defect of one task leaves the others alone, and is reported like a defect of a timer.
      setImmediate(() => {
        throw error
      })
    }
  }
}

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

/** Notes a request: an idle process does not measure its event loop, and is not woken for it. */
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
  const stop = everySeconds(1, () => {
    const { active } = performance.eventLoopUtilization(used)
    used = performance.eventLoopUtilization()
    if (active <= idleMs) rest()
    // The stalls of a start, before the first request, hold nobody up.
    else if (last > 0) noteWork()
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
