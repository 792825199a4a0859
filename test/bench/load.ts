/** The load generator, a process of its own that takes orders over its IPC channel. */

import { setTimeout as sleep } from 'node:timers/promises'
import { loadCore, subjectCore } from './cores.ts'
import { coreMicros, processMicros } from './cpu.ts'
import { LoadConnection } from './load-connection.ts'

export interface LoadOrder {
  port: number
  /** The request's bytes, head and body, in latin1. */
  request: string
  /** What every other connection sends instead. */
  alternately?: string
  connections: number
  warmupMillis: number
  windowMillis: number
  subjectPid: number
  upstreamPid: number
  /** Ends the requests under way where the window ends, instead of letting them finish. */
  cut?: boolean
  /** Never sleeps: waking the generator is work of the subject, and more of it the slower it writes. */
  awake?: boolean
}

/** What happened within the window; processor times in microseconds. */
export interface LoadReport {
  requests: number
  wallMicros: number
  subjectMicros: number
  /** Load generator and upstream together. */
  loadMicros: number
  /** Time the two cores gave to processes that are no part of the bench. */
  strangersMicros: number
  p50Micros: number
  p99Micros: number
  failures: string[]
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report))
})
process.on('disconnect', () => process.exit(0))

async function run(order: LoadOrder): Promise<LoadReport> {
  const failures: string[] = []
  let latencies: number[] = []
  const requests = [order.request, order.alternately ?? order.request].map((request) =>
    Buffer.from(request, 'latin1'),
  )
  const connections = Array.from(
    { length: order.connections },
    (_, index) =>
      new LoadConnection(
        order.port,
        requests[index % 2]!,
        (micros) => latencies.push(micros),
        (reason) => failures.push(reason),
      ),
  )
  using _awake = order.awake ? stayAwake() : undefined
  await sleep(order.warmupMillis)
  latencies = []
  const before = readClocks(order)
  await sleep(order.windowMillis)
  const after = readClocks(order)
  const counted = Float64Array.from(latencies).sort()
  await Promise.all(connections.map((connection) => connection.stop(order.cut)))
  return {
    ...difference(before, after),
    ...percentiles(counted),
    requests: counted.length,
    failures,
  }
}

function stayAwake(): Disposable {
  let next = setImmediate(turn)
  function turn(): void {
    next = setImmediate(turn)
  }
  return { [Symbol.dispose]: () => clearImmediate(next) }
}

interface Clocks {
  wall: number
  subject: number
  load: number
  cores: number
}

function readClocks({ subjectPid, upstreamPid }: LoadOrder): Clocks {
  return {
    wall: performance.now() * 1000,
    subject: processMicros(subjectPid),
    load: processMicros(process.pid) + processMicros(upstreamPid),
    cores: coreMicros(subjectCore) + coreMicros(loadCore),
  }
}

function difference(before: Clocks, after: Clocks) {
  const subjectMicros = after.subject - before.subject
  const loadMicros = after.load - before.load
  return {
    wallMicros: after.wall - before.wall,
    subjectMicros,
    loadMicros,
    strangersMicros: Math.max(0, after.cores - before.cores - subjectMicros - loadMicros),
  }
}

function percentiles(sorted: Float64Array) {
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50Micros: at(0.5), p99Micros: at(0.99) }
}
