/**
 * `npm run bench:routing`: what bindings and affinities cost on the embedded store, as a ratio in one
 * run, and whether another process finds every binding that was acknowledged.
 */

import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'

import { type Binding, createBindings } from '../../../src/stores/bindings.ts'
import { openStore } from '../../../src/stores/open.ts'
import { freePort, nextMessage, startScript, stopChild, temporaryDirectory } from '../children.ts'
import { subjectCore } from '../cores.ts'
import { driveLoad, startDrivers, type Drivers } from '../drivers.ts'
import type { LoadReport } from '../load.ts'
import { median } from '../median.ts'
import { printLine, runBench } from '../run-bench.ts'
import { sampleOf, type Sample } from '../sample.ts'
import { whenLive } from '../when-live.ts'
import { resourceId } from './ids.ts'
import { turnOfAnAgent } from './request.ts'

const rounds = 5
const windowMillis = 2_000
const warmupMillis = 4_000
/** A response may be on its way to a client when the load ends: one for each connection. */
const connections = 32

type State = 'on' | 'off'

await runBench(main)

async function main(): Promise<void> {
  const drivers = await startDrivers(new URL('upstream.ts', import.meta.url))
  const off = await startGateway(drivers, 'off')
  const on = await startGateway(drivers, 'on')
  const samples: Record<State, Sample[]> = { on: [], off: [] }
  for (const subject of [off, on]) await drive(drivers, subject, warmupMillis)
  // What the one without bindings made is of no interest; the other's begin here.
  for (let round = 0; round < rounds; round++) {
    for (const subject of [off, on]) {
      samples[subject.state].push(sampleOf(await drive(drivers, subject, windowMillis)))
    }
  }
  report(samples)
  await stopChild(on.child)
  await countBindings(on, drivers.upstream)
}

interface Subject {
  readonly state: State
  readonly port: number
  /** What the load sends, a character for each byte. */
  readonly request: string
  readonly child: ChildProcess
  readonly directory: string
  /** Which of the upstream's responses passed through it: from, to. */
  readonly made: [number, number][]
}

async function startGateway({ upstreamPort }: Drivers, state: State): Promise<Subject> {
  const port = await freePort()
  const directory = join(temporaryDirectory(), state)
  const args = [String(port), String(upstreamPort), directory, state]
  const script = new URL('gateway.ts', import.meta.url)
  const child = startScript(script, args, { core: subjectCore })
  await whenLive(port)
  return { state, port, request: await turnOfAnAgent(port), child, directory, made: [] }
}

async function drive(drivers: Drivers, subject: Subject, millis: number): Promise<LoadReport> {
  const { load, upstream } = drivers
  const from = await madeSoFar(upstream)
  const seen = await driveLoad(load, {
    port: subject.port,
    request: subject.request,
    connections,
    warmupMillis: 250,
    windowMillis: millis,
    subjectPid: subject.child.pid!,
    upstreamPid: upstream.pid!,
  })
  if (seen.failures.length > 0) throw new Error(`${subject.state}: ${seen.failures[0]}`)
  subject.made.push([from + 1, await madeSoFar(upstream)])
  return seen
}

async function madeSoFar(upstream: ChildProcess): Promise<number> {
  upstream.send('how many')
  return (await nextMessage<{ made: number }>(upstream, 5_000)).made
}

function report(samples: Record<State, Sample[]>): void {
  const rate = (state: State) => median(samples[state].map((sample) => sample.requestsPerSecond))
  const cpu = (state: State) => median(samples[state].map((sample) => sample.cpuMicros))
  for (const state of ['off', 'on'] as const) {
    const verdicts = samples[state].map(({ verdict }) => verdict).join(', ')
    printLine(
      `${state.padEnd(4)}${rate(state).toFixed(0)} req/s, ${cpu(state).toFixed(1)} us CPU (${verdicts})`,
    )
  }
  const lost = 1 - rate('on') / rate('off')
  printLine(`bindings and affinities cost ${(lost * 100).toFixed(1)} % of the requests per second`)
  printLine(lost <= 0.3 ? 'met: at most 30 %' : 'MISSED: at most 30 %')
  if (lost > 0.3) process.exitCode = 1
}

/** Looks for every response that passed, from this process, in the store that the other one wrote. */
async function countBindings({ directory, made }: Subject, upstream: ChildProcess): Promise<void> {
  upstream.disconnect()
  const store = await openStore(`file:${directory}`, { cwd: '/' })
  const bindings = createBindings(store.records<Binding>('bindings'))
  let found = 0
  let all = 0
  for (const [from, to] of made) {
    for (let count = from; count <= to; count++) {
      all++
      const name = { kind: 'response', keyId: 'bench', id: resourceId('resp', count) }
      if (await bindings.find(name)) found++
    }
  }
  await store.close()
  printLine(`another process finds ${found} of ${all} bindings`)
  if (all - found > connections * made.length) process.exitCode = 1
}
