import type { Worker } from 'node:cluster'

import { catalog } from '../telemetry/metrics/catalog.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import {
  type Snapshot,
  type SnapshotMessage,
  lastingPart,
  mergeSnapshots,
} from '../telemetry/metrics/snapshot.ts'

/**
 * The messages between workers and their primary process: `values` of one worker, the command to `collect`
 * them, and a worker's question (`ask`) with its answer, the values of `all` (absent: not in time).
 */
type MetricsMessage =
  | { readonly metrics: 'values'; readonly values: SnapshotMessage }
  | { readonly metrics: 'collect' }
  | { readonly metrics: 'ask'; readonly id: number }
  | { readonly metrics: 'all'; readonly id: number; readonly values: SnapshotMessage }

/** How often a worker reports. A killed worker loses its counts since the last report. Milliseconds. */
const reportMs = 5_000

/** How long the primary process waits for the workers, and how long a worker for it. Milliseconds. */
const collectMs = 1_000
const answerMs = 3_000

const definitions = new Map(catalog.map((metric) => [metric.name, metric]))

/** Has the metrics of this worker show all of them. Dispose of it to report for the last time. */
export function joinMetrics(metrics: Metrics): AsyncDisposable {
  const waiting = new Map<number, (all: Snapshot) => void>()
  let last = 0

  async function report(): Promise<void> {
    const values = [...(await metrics.snapshot())]
    send({ metrics: 'values', values })
  }

  function onMessage(received: unknown): void {
    const message = metricsMessage(received)
    if (message?.metrics === 'collect') void report()
    if (message?.metrics === 'all') waiting.get(message.id)?.(new Map(message.values))
  }

  metrics.gather = () => {
    const id = ++last
    const { promise, resolve, reject } = Promise.withResolvers<Snapshot>()
    const timer = setTimeout(reject, answerMs, new Error('The primary process does not answer.'))
    waiting.set(id, resolve)
    send({ metrics: 'ask', id })
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
  process.on('message', onMessage)
  const timer = setInterval(() => void report(), reportMs).unref()
  void report()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      process.off('message', onMessage)
      await report()
    },
  }
}

function send(message: MetricsMessage): void {
  // Without the primary process this one ends as well.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** The metrics of all workers, in their primary process. */
interface MetricsHub {
  /** Returns whether a worker's message was about metrics. */
  receive(from: Worker, message: unknown): boolean
  /** Keeps what a worker has counted that has ended: sums never fall. */
  ended(worker: Worker): void
}

/** Creates the hub of the workers. */
export function createMetricsHub(workers: () => readonly Worker[]): MetricsHub {
  const latest = new Map<number, Snapshot>()
  const awaited = new Set<number>()
  let retired: Snapshot = new Map()
  let collecting: Promise<void> | undefined
  let onAnswer: () => void = () => {}

  /** Asks the workers that have reported before. One that starts has nothing to report. */
  async function collect(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, collectMs)
    onAnswer = () => {
      if (awaited.size === 0) resolve()
    }
    awaited.clear()
    for (const worker of workers()) {
      if (!latest.has(worker.id) || !worker.isConnected()) continue
      awaited.add(worker.id)
      sendTo(worker, { metrics: 'collect' })
    }
    onAnswer()
    await promise
    clearTimeout(timer)
  }

  async function answer(worker: Worker, id: number): Promise<void> {
    await (collecting ??= collect().finally(() => void (collecting = undefined)))
    const values = [...mergeSnapshots([retired, ...latest.values()], definitions)]
    sendTo(worker, { metrics: 'all', id, values })
  }

  return {
    receive(from, received) {
      const message = metricsMessage(received)
      if (message?.metrics === 'ask') void answer(from, message.id)
      if (message?.metrics === 'values') {
        latest.set(from.id, new Map(message.values))
        if (awaited.delete(from.id)) onAnswer()
      }
      return message !== undefined
    },
    ended({ id }) {
      const known = latest.get(id)
      latest.delete(id)
      if (known) retired = mergeSnapshots([retired, lastingPart(known, definitions)], definitions)
      if (awaited.delete(id)) onAnswer()
    },
  }
}

function sendTo(worker: Worker, message: MetricsMessage): void {
  // Its error, that the worker is gone, needs no answer.
  if (worker.isConnected()) worker.send(message, () => {})
}

/** `undefined` for any other message, such as one of a plugin. */
function metricsMessage(message: unknown): MetricsMessage | undefined {
  const { metrics, id, values } = Object(message) as Record<string, unknown>
  if (metrics === 'collect') return { metrics }
  if (metrics === 'ask' && typeof id === 'number') return { metrics, id }
  if (!Array.isArray(values)) return undefined
  const known = values as SnapshotMessage
  if (metrics === 'values') return { metrics, values: known }
  return metrics === 'all' && typeof id === 'number' ? { metrics, id, values: known } : undefined
}
