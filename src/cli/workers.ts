import cluster, { type Worker } from 'node:cluster'

import { CommandError, type CommandOptions, type Terminal } from './command.ts'
import type { ShutdownSignal } from './signals.ts'
import { createMetricsHub } from './worker-metrics.ts'

/** The environment variable with the number of a worker process. */
const numberVariable = 'DRAGOMAN_WORKER'

/** Delay before a worker is replaced: doubles with each failed start. Milliseconds. */
const minRestartMs = 100
const maxRestartMs = 5_000

/** Consecutive failed starts, with no worker serving, after which `runWorkers` gives up. */
const maxFailedStarts = 3

const maxWorkers = 256

/** How long a worker that has stopped accepting waits for the others. Milliseconds. */
const othersStopMs = 5_000

/** The number of this worker process, or `undefined` in any other process. */
export function workerNumber(env: Terminal['env']): number | undefined {
  return cluster.isWorker ? Number(env[numberVariable]) : undefined
}

/** Reads the number of workers. Throws `CommandError` if it is not a valid number. */
export function readWorkers(options: CommandOptions, env: Terminal['env']): number {
  const [name, text] =
    options['workers'] === undefined
      ? ['DRAGOMAN_WORKERS', env['DRAGOMAN_WORKERS'] || '1']
      : ['--workers', options['workers']]
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= maxWorkers) return count
  throw new CommandError(`${name} must be a whole number from 1 to ${maxWorkers}, not "${text}".`)
}

/** The URLs that a gateway listens on. */
export interface Addresses {
  readonly api: string
  /** Absent: there is no admin address. */
  admin?: string
}

/** The options of `runWorkers`. */
interface WorkersOptions {
  readonly count: number
  readonly terminal: Terminal
  /** Resolves when all workers must end. */
  readonly signal: Promise<ShutdownSignal>
  /** Environment variables for every worker, added to the variables of this process. */
  readonly environment: Readonly<Record<string, string>>
  /** Called once, when the first worker serves. */
  onServing(addresses: Addresses): void
}

/**
 * Runs workers that serve on the same ports, and replaces each worker that ends. Resolves when all
 * workers have ended after a signal; rejects with `CommandError` if no worker can start.
 */
export async function runWorkers({
  count,
  terminal,
  signal,
  ...options
}: WorkersOptions): Promise<void> {
  const timers = new Set<NodeJS.Timeout>()
  const serving = new Set<Worker>()
  /** Workers that receive SIGHUP as soon as they serve. */
  const reloadWhenServing = new Set<Worker>()
  const { promise: startFailure, reject: giveUp } = Promise.withResolvers<never>()
  const { promise: endRequest, resolve: requestEnd } = Promise.withResolvers<ShutdownSignal>()
  const metrics = createMetricsHub(all)
  /** Workers that run, but accept no connections any more. */
  const stopped = new Set<Worker>()
  let ending = false
  let failures = 0
  let announced = false

  /** Answers them once no worker accepts. A worker that ends alone waits for none: the others stay. */
  function releaseStopped(): void {
    if (ending && all().some((worker) => worker.isConnected() && !stopped.has(worker))) return
    for (const worker of stopped) worker.send(stoppedMessage, () => {})
  }

  function start(number: number): void {
    const worker = cluster.fork({ ...options.environment, [numberVariable]: String(number) })
    worker.on('message', (message: unknown) => {
      if (metrics.receive(worker, message)) return
      if (asksToDrain(message)) return requestEnd('SIGTERM')
      if (hasStopped(message)) {
        stopped.add(worker)
        return releaseStopped()
      }
      const addresses = addressesIn(message)
      if (!addresses) return
      serving.add(worker)
      failures = 0
      if (reloadWhenServing.delete(worker)) worker.process.kill('SIGHUP')
      if (!announced) options.onServing(addresses)
      announced = true
    })
    worker.once('disconnect', () => {
      stopped.delete(worker)
      releaseStopped()
    })
    worker.once('exit', (code, signalName) => {
      metrics.ended(worker)
      reloadWhenServing.delete(worker)
      const served = serving.delete(worker)
      if (ending) return
      if (!served && ++failures >= maxFailedStarts && serving.size === 0) {
        return giveUp(new CommandError('No worker could start.'))
      }
      terminal.say(`Worker ${number} ended (${signalName ?? code}); a new worker replaces it.`)
      const pause = Math.min(minRestartMs * 2 ** failures, maxRestartMs)
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(number)
      }, pause)
      timers.add(timer)
    })
  }

  // A starting process has no handler yet: the signal would end it.
  const forwardReload = () => {
    for (const worker of all()) {
      if (serving.has(worker)) worker.process.kill('SIGHUP')
      else reloadWhenServing.add(worker)
    }
  }
  process.on('SIGHUP', forwardReload)
  for (let number = 1; number <= count; number++) start(number)
  let shutdown: ShutdownSignal = 'SIGTERM'
  try {
    shutdown = await Promise.race([signal, endRequest, startFailure])
  } finally {
    ending = true
    process.off('SIGHUP', forwardReload)
    for (const timer of timers) clearTimeout(timer)
    for (const worker of all()) worker.process.kill(shutdown)
    await Promise.all(all().map(ended))
  }
}

/** Asks the primary process to end all workers. */
export function requestDrain(): void {
  process.send?.({ drain: true })
}

const stoppedMessage = { stoppedAccepting: true }

/**
 * Informs the primary process that this worker accepts no connections any more. Resolves when no worker of a gateway
 * that ends does, or after five seconds.
 */
export async function othersStop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const onMessage = (message: unknown) => {
    if (hasStopped(message)) resolve()
  }
  const timer = setTimeout(resolve, othersStopMs)
  process.on('message', onMessage)
  // Without the primary process this one ends as well.
  process.send?.(stoppedMessage, undefined, undefined, () => {})
  await promise
  clearTimeout(timer)
  process.off('message', onMessage)
}

/** Informs the primary process that this worker serves. */
export function announceServing(addresses: Addresses): void {
  process.send?.(addresses)
}

/** Closes the channel to the primary process, which would prevent this worker from exiting. */
export function disconnectWorker(): void {
  // `process.disconnect` would end the worker at once, with exit code 0.
  cluster.worker?.disconnect()
}

function all(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.isDead()) resolve()
    else worker.once('exit', () => resolve())
  })
}

/** The addresses of a worker that serves; `undefined` for any other message, such as one of a plugin. */
export function addressesIn(message: unknown): Addresses | undefined {
  const { api, admin } = Object(message) as { api?: unknown; admin?: unknown }
  if (typeof api !== 'string') return undefined
  return typeof admin === 'string' ? { api, admin } : { api }
}

/** Whether a message says that its sender, or all workers, accept no connections any more. */
export function hasStopped(message: unknown): boolean {
  return (Object(message) as { stoppedAccepting?: unknown }).stoppedAccepting === true
}

/** Whether a worker asks for the end of all. */
export function asksToDrain(message: unknown): boolean {
  return (Object(message) as { drain?: unknown }).drain === true
}
