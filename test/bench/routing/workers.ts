/**
 * `npm run bench:workers`: how long the event loops of two workers stand still under saturation.
 * Workers, load and upstream share two cores, so an idle process is measured beside them.
 */

import type { ChildProcess } from 'node:child_process'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import {
  cleanUpOnExit,
  freePort,
  nextMessage,
  startChild,
  stopAll,
  temporaryDirectory,
} from '../children.ts'
import { loadCore, subjectCore, whyUnfit } from '../cores.ts'
import type { LoadOrder, LoadReport } from '../load.ts'
import { clientKey } from '../subjects/subject.ts'
import { type Gauges, openGauges } from './workers-gauges.ts'
import { describeOutcome, type Outcome, verdictOn, whyUseless } from './workers-report.ts'
import { turnOfAnAgent } from './request.ts'

const workers = 2
const connections = 48
const warmupMillis = 4_000
const windowMillis = 15_000
/** The loops are measured within the window of the load, so long after its beginning. */
const settlingMillis = 250
const startMillis = 15_000

const cores = [subjectCore, loadCore]

try {
  const unfit = whyUnfit()
  if (unfit !== undefined) throw new Error(unfit)
  cleanUpOnExit()
  const gauges = await openGauges()
  try {
    report(await main(gauges))
  } finally {
    gauges.close()
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await stopAll()
}

async function main(gauges: Gauges): Promise<Outcome> {
  const load = startNode('../load.ts', [], { ipc: true })
  const upstream = startNode('upstream.ts', [], { ipc: true })
  const { port: upstreamPort } = await nextMessage<{ port: number }>(upstream, 10_000)
  const { port, gateway } = await startGateway(upstreamPort, gauges)
  startNode('workers-idle.ts', [String(gauges.port)])
  await until(() => gauges.count() > workers)
  const order: LoadOrder = {
    port,
    request: turnOfAnAgent(port).toString('latin1'),
    connections,
    warmupMillis,
    windowMillis: windowMillis + 2 * settlingMillis,
    subjectPid: gateway.pid!,
    upstreamPid: upstream.pid!,
  }
  load.send(order)
  const [seen, loops] = await Promise.all([
    nextMessage<LoadReport>(load, warmupMillis + windowMillis + 10_000),
    gauges.measure({ warmupMillis: warmupMillis + settlingMillis, windowMillis }),
  ])
  const idle = loops.find(({ name }) => name === 'idle process')
  if (!idle) throw new Error('the idle process was not measured')
  return { load: seen, workers: loops.filter((loop) => loop !== idle), idle, cores: cores.length }
}

/** Resolves when every worker has served a request, and has come to the gauges by that. */
async function startGateway(upstreamPort: number, gauges: Gauges) {
  const port = await freePort()
  const configuration = fileURLToPath(new URL('workers.config.ts', import.meta.url))
  const args = ['serve', '--workers', String(workers), '--config', configuration]
  const env = {
    BENCH_PORT: String(port),
    BENCH_ADMIN_PORT: String(await freePort()),
    BENCH_UPSTREAM_PORT: String(upstreamPort),
    BENCH_GAUGES_PORT: String(gauges.port),
    BENCH_STORE: join(temporaryDirectory(), 'store'),
    BENCH_KEY: clientKey,
  }
  const gateway = startNode('../../../src/cli/main.ts', args, { env })
  await until(async () => {
    await knock(port)
    return gauges.count() >= workers
  })
  return { port, gateway }
}

/** One request over a connection of its own: they go to the workers in turn. */
function knock(port: number): Promise<void> {
  const place = { host: '127.0.0.1', port, path: '/livez', agent: false } as const
  return new Promise((resolve) => {
    get({ ...place, signal: AbortSignal.timeout(2_000) }, (reply) => reply.resume())
      .on('error', () => {})
      .once('close', resolve)
  })
}

function report(outcome: Outcome): void {
  for (const line of describeOutcome(outcome)) print(line)
  const useless = whyUseless(outcome)
  const { met, line } = verdictOn(outcome)
  print(useless === undefined ? line : `no verdict: ${useless}`)
  if (useless !== undefined || !met) process.exitCode = 1
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + startMillis
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('a process under measurement does not start')
    await sleep(50)
  }
}

/** On either of the two cores, as the kernel likes. */
function startNode(
  name: string,
  args: string[],
  options: { ipc?: boolean; env?: Record<string, string> } = {},
): ChildProcess {
  const script = fileURLToPath(new URL(name, import.meta.url))
  const command = ['taskset', '-c', cores.join(','), process.execPath, script, ...args]
  return startChild(command, { core: subjectCore, ...options })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
