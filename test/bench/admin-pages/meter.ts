/** Measures pages of the admin API, and how long the event loop works in one turn. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { PerformanceObserver } from 'node:perf_hooks'

/** Requests with this header are measured. */
export const measuredHeader = 'x-measured'

/** How long the event loop was busy, in milliseconds. */
export interface Stalls {
  /** The longest turn, by the CPU time of this thread. */
  readonly longestTurn: number
  /** The longest pause of the garbage collector, by the clock. Other processes make it longer. */
  readonly longestPause: number
}

/** What a meter has measured. */
export interface Reading extends Stalls {
  /** From the head of each request to the end of its answer, this thread worked, or waited without rest, for so long. */
  readonly worked: readonly number[]
}

/** Measures requests, and each turn of the event loop from the start to the end. */
export interface Meter {
  end(): Reading
}

/** In milliseconds. Shorter turns are measured together. */
const shortMs = 1

/**
 * Starts a meter. It looks each millisecond: the CPU time between two looks is what others would have waited for,
 * and that of a request is its time without other processes of the machine. A loop that never rests would take the
 * core from the threads of the garbage collector, whose work then falls to the loop.
 */
export function startMeter(): Meter {
  const requests = watchRequests()
  const pauses = watchPauses()
  let longestTurn = 0
  let cpu = cpuMs()
  let isOver = false
  const look = () => {
    const now = cpuMs()
    longestTurn = Math.max(longestTurn, now - cpu)
    cpu = now
  }
  const turn = () => {
    look()
    if (!isOver) setTimeout(turn, shortMs)
  }
  turn()
  return {
    end() {
      isOver = true
      look()
      return { longestTurn, longestPause: pauses.end(), worked: requests.end() }
    },
  }
}

function watchRequests() {
  const worked: number[] = []
  const begun = new Map<IncomingMessage, number>()
  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (measuredHeader in request.headers) begun.set(request, cpuMs())
  }
  const onFinish = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const before = begun.get(request)
    if (before !== undefined) worked.push(cpuMs() - before)
    begun.delete(request)
  }
  subscribe('http.server.request.start', onStart)
  subscribe('http.server.response.finish', onFinish)
  return {
    end() {
      unsubscribe('http.server.request.start', onStart)
      unsubscribe('http.server.response.finish', onFinish)
      return worked
    },
  }
}

function watchPauses() {
  let longest = 0
  const note = (entries: readonly { readonly duration: number }[]) => {
    for (const { duration } of entries) longest = Math.max(longest, duration)
  }
  const collector = new PerformanceObserver((list) => note(list.getEntries()))
  collector.observe({ entryTypes: ['gc'] })
  return {
    end() {
      note(collector.takeRecords())
      collector.disconnect()
      return longest
    },
  }
}

const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * The time that this thread has worked. Linux brings it up to date at ticks of up to 4 ms, and whenever the thread
 * rests, so it rests for some 0.1 ms first.
 */
function cpuMs(): number {
  Atomics.wait(cell, 0, 0, 0.01)
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
