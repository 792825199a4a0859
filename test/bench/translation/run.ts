/**
 * `npm run bench:translation`: what translating a stream costs against handing on a native one of the
 * same account, for each pair of dialects, in one run: processor time a frame with one frame per
 * write, slowly, and the rate with all frames in one. `-- chat messages` takes only these account dialects.
 */

import type { ChildProcess } from 'node:child_process'

import { freePort, startScript } from '../children.ts'
import { subjectCore } from '../cores.ts'
import { driveLoad, startDrivers, type Drivers } from '../drivers.ts'
import type { LoadReport } from '../load.ts'
import { median } from '../median.ts'
import { requestHeaders } from '../request.ts'
import { printLine, runBench } from '../run-bench.ts'
import { sampleOf, type Sample } from '../sample.ts'
import { whenLive } from '../when-live.ts'
import {
  type DialectName,
  dialectNames,
  dialects,
  frameCount,
  type Manner,
  manners,
} from './dialects.ts'

const rounds = 5
const windowMillis = 1_000
/** Many slow streams, or a few fast ones. */
const connections: Record<Manner, number> = { 'per-write': 64, coalesced: 16 }
/** At most so many microseconds of processor time more for a frame, one frame per write. */
const mostAdded = 1.5
/** At least so much of the native rate, coalesced. */
const leastRate = 0.25

interface Stage extends Drivers {
  readonly gateway: ChildProcess
  readonly port: number
}

await runBench(main)

async function main(): Promise<void> {
  const asked = process.argv.slice(2)
  const accounts = dialectNames.filter((name) => asked.length === 0 || asked.includes(name))
  const stage = await openStage()
  let missed = 0
  for (const account of accounts) {
    for (const manner of manners) missed += await compare(stage, account, manner)
  }
  printLine(missed === 0 ? 'met' : `MISSED by ${missed} pairs`)
  if (missed > 0) process.exitCode = 1
}

async function openStage(): Promise<Stage> {
  const drivers = await startDrivers(new URL('upstream.ts', import.meta.url))
  const port = await freePort()
  const script = new URL('gateway.ts', import.meta.url)
  const args = [`${port}`, `${drivers.upstreamPort}`]
  const gateway = startScript(script, args, { core: subjectCore })
  await whenLive(port)
  return { ...drivers, gateway, port }
}

/** All clients of one account in turn, the native one among them. Returns how many pairs miss. */
async function compare(stage: Stage, account: DialectName, manner: Manner): Promise<number> {
  const samples = new Map(dialectNames.map((client) => [client, [] as Sample[]]))
  for (let round = 0; round <= rounds; round++) {
    for (const [client, taken] of samples) {
      const sample = sampleOf(await drive(stage, client, account, manner))
      if (sample.verdict === 'failed') throw new Error(`${client}: ${sample.failures[0]}`)
      // The first round warms up.
      if (round > 0) taken.push(sample)
    }
  }
  const native = figuresOf(samples.get(account) ?? [])
  printLine(`${account} account, ${manner}: native ${native.cpu.toFixed(1)} us a stream`)
  let missed = 0
  for (const [client, taken] of samples) {
    if (client === account) continue
    const { rate, cpu } = figuresOf(taken)
    const added = (cpu - native.cpu) / frameCount
    const share = rate / native.rate
    const isMet = manner === 'per-write' ? added <= mostAdded : share >= leastRate
    if (!isMet) missed++
    const more = `${added.toFixed(2).padStart(6)} us a frame more`
    const figures = manner === 'per-write' ? more : `${more}, ${share.toFixed(2)} of the rate`
    printLine(`  ${client.padEnd(10)}${figures}${isMet ? '' : '  MISSED'}`)
  }
  return missed
}

function figuresOf(samples: readonly Sample[]): { rate: number; cpu: number } {
  return {
    rate: median(samples.map(({ requestsPerSecond }) => requestsPerSecond)),
    cpu: median(samples.map(({ cpuMicros }) => cpuMicros)),
  }
}

function drive(
  stage: Stage,
  client: DialectName,
  account: DialectName,
  manner: Manner,
): Promise<LoadReport> {
  return driveLoad(stage.load, {
    port: stage.port,
    request: requestOf(client, `${account}-${manner}`, stage.port),
    connections: connections[manner],
    warmupMillis: 150,
    windowMillis,
    subjectPid: stage.gateway.pid!,
    upstreamPid: stage.upstream.pid!,
  })
}

function requestOf(client: DialectName, model: string, port: number): string {
  const body = JSON.stringify(dialects[client].request(model))
  const headers = {
    host: `127.0.0.1:${port}`,
    ...requestHeaders(dialects[client].headers),
    'content-length': body.length,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${dialects[client].path(model)} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
