/**
 * `npm run bench:workers`: how long the event loops of two workers stand still under saturation.
 * Workers, load and upstream share two cores, so an idle process is measured beside them.
 */

import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort, startScript, temporaryDirectory } from '../children.ts'
import { loadCore, subjectCore } from '../cores.ts'
import { driveLoad, startDrivers } from '../drivers.ts'
import { printLine, runBench } from '../run-bench.ts'
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

/** Every process may run on either. */
const cores = [subjectCore, loadCore]

await runBench(async () => {
  const gauges = await openGauges()
  try {
    report(await measure(gauges))
  } finally {
    gauges.close()
  }
})

async function measure(gauges: Gauges): Promise<Outcome> {
  const script = new URL('upstream.ts', import.meta.url)
  const { load, upstream, upstreamPort } = await startDrivers(script, cores)
  const { port, gateway } = await startGateway(upstreamPort, gauges)
  const idleProcess = new URL('workers-idle.ts', import.meta.url)
  startScript(idleProcess, [String(gauges.port)], { core: cores })
  await until(() => gauges.count() > workers)
  const order = {
    port,
    request: await turnOfAnAgent(port),
    connections,
    warmupMillis,
    windowMillis: windowMillis + 2 * settlingMillis,
    subjectPid: gateway.pid!,
    upstreamPid: upstream.pid!,
  }
  const [seen, loops] = await Promise.all([
    driveLoad(load, order),
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
  const main = new URL('../../../src/cli/main.ts', import.meta.url)
  const gateway = startScript(main, args, { core: cores, env })
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
  for (const line of describeOutcome(outcome)) printLine(line)
  const useless = whyUseless(outcome)
  const { met, line } = verdictOn(outcome)
  printLine(useless === undefined ? line : `no verdict: ${useless}`)
  if (useless !== undefined || !met) process.exitCode = 1
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + startMillis
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('a process under measurement does not start')
    await sleep(50)
  }
}
