import cluster, { type Worker } from 'node:cluster'

import { CommandError, type CommandOptions, type Terminal } from './command.ts'
import type { ShutdownSignal } from './signals.ts'

/** The variable by which a worker process knows that it is one, and which. */
const numberVariable = 'DRAGOMAN_WORKER'

/** A worker that ended is replaced after so long, doubled each time up to the second, in milliseconds. */
const firstPauseMs = 100
const longestPauseMs = 5_000

/** So many workers in a row that never served, and nobody who does, say that none ever will. */
const mostFailures = 3

const most = 256

/** The number of this worker, or `undefined` in a process that is no worker. */
export function workerNumber(env: Terminal['env']): number | undefined {
  return cluster.isWorker ? Number(env[numberVariable]) : undefined
}

/** How many processes are to serve. Throws `CommandError` for what is no such number. */
export function readWorkers(options: CommandOptions, env: Terminal['env']): number {
  const [name, text] =
    options['workers'] === undefined
      ? ['DRAGOMAN_WORKERS', env['DRAGOMAN_WORKERS'] || '1']
      : ['--workers', options['workers']]
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new CommandError(`${name} must be a whole number from 1 to ${most}, not "${text}".`)
}

export interface Pool {
  readonly count: number
  readonly terminal: Terminal
  /** Resolves when all are to end. */
  readonly signal: Promise<ShutdownSignal>
  /** For every worker beside what this process has. */
  readonly environment: Readonly<Record<string, string>>
  /** The first of them serves. */
  onServing(addresses: Addresses): void
}

/** Where a gateway listens, as URLs. */
export interface Addresses {
  readonly clients: string
  readonly operators: string
}

/**
 * Runs workers that serve on the same ports, and puts another in the place of one that ends. This
 * process takes no traffic. Resolves when all have ended after a signal; rejects with
 * `CommandError` where none serves and none can.
 */
export async function runWorkers({ count, terminal, signal, ...pool }: Pool): Promise<void> {
  const timers = new Set<NodeJS.Timeout>()
  const serving = new Set<Worker>()
  /** Those to be asked for another look at the configuration as soon as they listen to it. */
  const late = new Set<Worker>()
  const { promise: hopeless, reject: giveUp } = Promise.withResolvers<never>()
  let ending = false
  let failures = 0
  let announced = false

  function start(number: number): void {
    const worker = cluster.fork({ ...pool.environment, [numberVariable]: String(number) })
    worker.once('message', (addresses: Addresses) => {
      serving.add(worker)
      failures = 0
      if (late.delete(worker)) worker.process.kill('SIGHUP')
      if (!announced) pool.onServing(addresses)
      announced = true
    })
    worker.once('exit', (code, signalName) => {
      late.delete(worker)
      const served = serving.delete(worker)
      if (ending) return
      if (!served && ++failures >= mostFailures && serving.size === 0) {
        return giveUp(new CommandError('No worker could serve.'))
      }
      terminal.say(`Worker ${number} ended (${signalName ?? code}); another takes its place.`)
      const pause = Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(number)
      }, pause)
      timers.add(timer)
    })
  }

  // The signal would end a process that is only starting.
  const passOn = () => {
    for (const worker of all()) {
      if (serving.has(worker)) worker.process.kill('SIGHUP')
      else late.add(worker)
    }
  }
  process.on('SIGHUP', passOn)
  for (let number = 1; number <= count; number++) start(number)
  let asked: ShutdownSignal = 'SIGTERM'
  try {
    asked = await Promise.race([signal, hopeless])
  } finally {
    ending = true
    process.off('SIGHUP', passOn)
    for (const timer of timers) clearTimeout(timer)
    for (const worker of all()) worker.process.kill(asked)
    await Promise.all(all().map(ended))
  }
}

/** Tells the primary that this worker takes requests from now on. */
export function announceServing(addresses: Addresses): void {
  process.send?.(addresses)
}

/** Lets the process of a worker end: the channel to the primary would keep it alive. */
export function disconnectWorker(): void {
  // Not `process.disconnect`, after which a worker ends at once and as if nothing had been wrong.
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
