/**
 * `npm run bench:telemetry [-- processes]`: what metrics and traces cost. `npm run bench:limits`: what limits and the
 * history cost. Gateways that differ in nothing else take turns every second, and each round is compared with itself.
 * Two processes of the same code differ by up to 5 %, so that four of each are measured.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import type { Config } from '../../../src/configuration/config.generated.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { nextMessage, startScript, stopChild } from '../children.ts'
import { loadCore } from '../cores.ts'
import { median } from '../median.ts'
import { ratioOf } from '../ratio.ts'
import { printLine, runBench } from '../run-bench.ts'
import { type Sample, sampleOf } from '../sample.ts'
import { drive, openStage, startSubject, type Stage, type Target } from '../stage.ts'

/** Settings of a gateway, and the least part of the requests per second of the variant that they are compared with. */
interface Variant {
  readonly name: string
  readonly settings: Config
  /** The name of the variant to compare with. Default: the first. */
  readonly to?: string
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

async function telemetryVariants(): Promise<Variant[]> {
  const script = new URL('collector.ts', import.meta.url)
  const collector = startScript(script, [], { core: loadCore, ipc: true })
  const { port } = await nextMessage<{ port: number }>(collector, 10_000)
  const endpoint = `http://127.0.0.1:${port}`
  const none = { telemetry: { metrics: false, traces: false } } as const
  return [
    { name: 'none', settings: none },
    { name: 'none, again', settings: none },
    { name: 'metrics', settings: { telemetry: { traces: false } }, least: 0.95 },
    {
      name: 'traces, 10 % of them sampled',
      settings: { telemetry: { metrics: false, traces: { endpoint, sample: 0.1 } } },
      least: 0.9,
    },
    {
      name: 'traces, all sampled',
      settings: { telemetry: { metrics: false, traces: { endpoint, sample: 1 } } },
    },
  ]
}

/** Limits that no call of the bench reaches. */
const quotas = [
  { kind: 'requests', amount: 1e9, window: '1m' },
  { kind: 'tokens', amount: 1e12, window: 'day' },
  { kind: 'cost', amount: 1e6, window: 'month' },
] as const

async function limitsVariants(resources: AsyncDisposableStack): Promise<Variant[]> {
  const redis = resources.use(await startRedis())
  const key = { id: 'bench', secret: 'env:BENCH_KEY' }
  // A budget needs a price.
  const prices = Object.fromEntries(
    ['json', 'coalesced', 'per-write'].map((name) => [
      `bench-${name}`,
      { rates: { input: '1', output: '2' } },
    ]),
  )
  const directory = resources.adopt(mkdtempSync(join(tmpdir(), 'dragoman-bench-')), (made) =>
    rmSync(made, { recursive: true, force: true }),
  )
  const file = (name: string): Config => ({ prices, store: `file:${join(directory, name)}` })
  const limited: Config = { keys: [{ ...key, quotas: [...quotas] }] }
  return [
    { name: 'file', settings: { ...file('a'), history: false } },
    { name: 'file, again', settings: { ...file('b'), history: false } },
    { name: 'file, history', settings: file('c'), least: 0.96 },
    {
      name: 'file, three limits',
      settings: { ...file('d'), ...limited, history: false },
      least: 0.9,
    },
    { name: 'Redis', settings: { prices, store: redis.url, history: false } },
    {
      name: 'Redis, history',
      to: 'Redis',
      settings: { prices, store: `${redis.url}?prefix=b:` },
      least: 0.96,
    },
    {
      name: 'Redis, three limits',
      to: 'Redis',
      settings: { prices, ...limited, store: `${redis.url}?prefix=c:`, history: false },
      least: 0.75,
    },
  ]
}

type MakeVariants = (resources: AsyncDisposableStack) => Promise<Variant[]>

const groups: Readonly<Record<string, MakeVariants | undefined>> = {
  telemetry: telemetryVariants,
  limits: limitsVariants,
}

/** Measures one process of each variant, and adds a sample a round. */
async function measure(stage: Stage, variants: Variant[], samples: Sample[][]): Promise<void> {
  const root = resolve(import.meta.dirname, '../../..')
  const targets: Target[] = []
  for (const { name, settings } of variants) {
    process.env['BENCH_SETTINGS'] = JSON.stringify(settings)
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
  for (const [at, { name, to = variants[0]!.name, least }] of variants.entries()) {
    const own = samples[at]!
    const ratio = ratioOf(own, samples[variants.findIndex((one) => one.name === to)]!)
    if (!ratio) throw new Error(`${name}: ${own.flatMap(({ failures }) => failures)[0]}`)
    const requests = median(own.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0)
    const cpu = median(own.map(({ cpuMicros }) => cpuMicros)).toFixed(1)
    const { requests: part, cpu: ofCpu, counted } = ratio
    const holds = least === undefined || part >= least
    const verdict = least === undefined ? '' : `, ${holds ? 'holds' : 'FAILS'} (at least ${least})`
    printLine(
      `${name}: ${requests} req/s, ${cpu} us of CPU; ${part.toFixed(3)} of ${to} ` +
        `(by CPU ${ofCpu.toFixed(3)}, ${counted} of ${own.length} rounds count)${verdict}`,
    )
    if (!holds) process.exitCode = 1
  }
}

await runBench(async () => {
  const [group = '', number = 4] = process.argv.slice(2)
  const makeVariants = groups[group]
  if (!makeVariants) throw new Error(`The groups are ${Object.keys(groups).join(' and ')}.`)
  const stage = await openStage()
  await using resources = new AsyncDisposableStack()
  const variants = await makeVariants(resources)
  const samples = variants.map((): Sample[] => [])
  for (let at = 0; at < Number(number); at++) await measure(stage, variants, samples)
  report(variants, samples)
})
