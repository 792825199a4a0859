/** Measures the event loop of the process that it is in, once, when the bench asks for it. */

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { type Histogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the bench wants measured, counted from when it is read. */
export interface LoopOrder {
  warmupMillis: number
  windowMillis: number
}

/** What a loop went through; delays in milliseconds, without the millisecond of the timer itself. */
export interface LoopReport {
  name: string
  samples: number
  p50: number
  p99: number
  p999: number
  longest: number
  /** How much of a core the process used, all its threads together. */
  cpuShare: number
  /** How much of the time the thread of the loop was ready to run and had no core. */
  coreless: number
  requestsPerSecond: number
}

export interface Gauge {
  /** Counts a request that this process served. */
  served(): void
  close(): void
}

/** How often the loop is asked to turn, in milliseconds: every delay includes it. */
const resolution = 1

/** Waits for an order on a port of the bench, and answers it with what was measured. */
export function startGauge(name: string, port: number): Gauge {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  const closed = new AbortController()
  let requests = 0
  const answer = async () => {
    // The order's end is not that of the connection.
    const order = (await json(socket.iterator({ destroyOnReturn: false }))) as LoopOrder
    const report = await measure(name, order, () => requests, closed.signal)
    socket.end(JSON.stringify(report))
  }
  socket.once('close', () => closed.abort())
  // An end without an order or an answer tells both sides all there is to know.
  socket.on('error', () => socket.destroy())
  answer().catch(() => socket.destroy())
  return { served: () => void requests++, close: () => void socket.destroy() }
}

async function measure(
  name: string,
  { warmupMillis, windowMillis }: LoopOrder,
  requests: () => number,
  signal: AbortSignal,
): Promise<LoopReport> {
  await sleep(warmupMillis, undefined, { signal })
  const histogram = monitorEventLoopDelay({ resolution })
  const before = readClocks(requests())
  histogram.enable()
  await sleep(windowMillis, undefined, { signal })
  histogram.disable()
  const after = readClocks(requests())
  const passed = after.wall - before.wall
  return {
    name,
    ...delays(histogram),
    cpuShare: (after.cpu - before.cpu) / passed,
    coreless: (after.coreless - before.coreless) / passed,
    requestsPerSecond: ((after.requests - before.requests) / passed) * 1000,
  }
}

function delays(histogram: Histogram) {
  const delay = (nanos: number) => Math.max(0, nanos / 1e6 - resolution)
  return {
    samples: histogram.count,
    p50: delay(histogram.percentile(50)),
    p99: delay(histogram.percentile(99)),
    p999: delay(histogram.percentile(99.9)),
    longest: delay(histogram.max),
  }
}

/** All in milliseconds but the count. */
function readClocks(requests: number) {
  const { user, system } = process.cpuUsage()
  // Nanoseconds of the first thread, which is the one of the loop: running, then waiting to run.
  const [, waited = 0] = readFileSync('/proc/self/schedstat', 'latin1').split(' ').map(Number)
  return { wall: performance.now(), cpu: (user + system) / 1000, coreless: waited / 1e6, requests }
}
