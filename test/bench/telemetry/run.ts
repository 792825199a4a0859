/**
 * `npm run bench:telemetry [-- processes]`: what metrics and traces cost. Gateways that differ in nothing else
 * take turns every second, and each round is compared with itself. Two processes of the same code differ by up to 5 %,
 * so that four of each are measured.
 */

import { resolve } from 'node:path'

import { nextMessage, startScript, stopChild } from '../children.ts'
import { loadCore } from '../cores.ts'
import { median } from '../median.ts'
import { ratioOf } from '../ratio.ts'
import { printLine, runBench } from '../run-bench.ts'
import { type Sample, sampleOf } from '../sample.ts'
import { drive, openStage, startSubject, type Stage, type Target } from '../stage.ts'

/** Telemetry of a gateway, and the least part of the requests per second without any. */
interface Variant {
  readonly name: string
  readonly telemetry: object
  readonly least?: number
}

const rounds = 12
const connections = 32
/**
 * The compiler settles later where one in ten calls makes spans: their code runs seldom, and the first exports
 * change types that it has relied on.
 */
const firstWarmupMillis = 30_000
const warmupMillis = 250
const windowMillis = 1_000

await runBench(async () => {
  const processes = Number(process.argv[2] ?? 4)
  const stage = await openStage()
  const script = new URL('collector.ts', import.meta.url)
  const collector = startScript(script, [], { core: loadCore, ipc: true })
  const { port } = await nextMessage<{ port: number }>(collector, 10_000)
  const variants = variantsOf(`http://127.0.0.1:${port}`)
  const samples = variants.map((): Sample[] => [])
  for (let at = 0; at < processes; at++) await measure(stage, variants, samples)
  report(variants, samples)
})

function variantsOf(endpoint: string): Variant[] {
  const none = { metrics: false, traces: false }
  return [
    { name: 'none', telemetry: none },
    { name: 'none, again', telemetry: none },
    { name: 'metrics', telemetry: { traces: false }, least: 0.95 },
    {
      name: 'traces, 10 % of them sampled',
      telemetry: { metrics: false, traces: { endpoint, sample: 0.1 } },
      least: 0.9,
    },
    {
      name: 'traces, all sampled',
      telemetry: { metrics: false, traces: { endpoint, sample: 1 } },
    },
  ]
}

/** Measures one process of each variant, and adds a sample a round. */
async function measure(stage: Stage, variants: Variant[], samples: Sample[][]): Promise<void> {
  const root = resolve(import.meta.dirname, '../../..')
  const targets: Target[] = []
  for (const { name, telemetry } of variants) {
    process.env['BENCH_TELEMETRY'] = JSON.stringify(telemetry)
    const flags = { workloads: ['json' as const], former: root }
    const target = await startSubject(stage, 'dragoman', flags)
    if (typeof target === 'string') throw new Error(`${name}: ${target}`)
    targets.push(target)
  }
  const load = { connections, warmupMillis: 0, windowMillis: firstWarmupMillis }
  for (const target of targets) await drive(stage, target, 'json', load)
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targets.entries()) {
      const how = { connections, warmupMillis, windowMillis }
      samples[at]!.push(sampleOf(await drive(stage, target, 'json', how)))
    }
  }
  await Promise.all(targets.map(({ child }) => stopChild(child)))
}

function report(variants: Variant[], samples: Sample[][]): void {
  const [none = []] = samples
  for (const [at, { name, least }] of variants.entries()) {
    const own = samples[at]!
    const ratio = ratioOf(own, none)
    if (!ratio) throw new Error(`${name}: ${own.flatMap(({ failures }) => failures)[0]}`)
    const requests = median(own.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0)
    const cpu = median(own.map(({ cpuMicros }) => cpuMicros)).toFixed(1)
    const { requests: part, cpu: ofCpu, counted } = ratio
    const holds = least === undefined || part >= least
    const verdict = least === undefined ? '' : `, ${holds ? 'holds' : 'FAILS'} (at least ${least})`
    printLine(
      `${name}: ${requests} req/s, ${cpu} us of CPU; ${part.toFixed(3)} of none ` +
        `(by CPU ${ofCpu.toFixed(3)}, ${counted} of ${own.length} rounds count)${verdict}`,
    )
    if (!holds) process.exitCode = 1
  }
}
