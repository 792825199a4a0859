/**
 * `npm run bench:scale`: what routing a request costs with 50,000 bindings and 1,000 accounts in 100
 * pools, against 10 accounts in one pool, and what of it is the larger store. All take turns in one
 * process; medians are printed.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { median } from '../median.ts'
import { printLine } from '../run-bench.ts'
import { callsTo, route } from './scale-route.ts'
import { openWorld, type Size, type World } from './scale-world.ts'

const runs = 5
/** Different calls, and how often a run makes each of them. */
const calls = 20_000
const turnsPerRun = 10
const most = 1.1

const directory = mkdtempSync(join(tmpdir(), 'dragoman-scale-'))
try {
  await main()
} finally {
  rmSync(directory, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const small = await open({ accounts: 10, pools: 1, bindings: 50_000 })
  const fewer = await open({ accounts: 10, pools: 1, bindings: 1_000 })
  const before = process.memoryUsage()
  const large = await open({ accounts: 1_000, pools: 100, bindings: 50_000 })
  const after = process.memoryUsage()
  const subjects = [small, fewer, large].map((world) => ({
    world,
    bodies: callsTo(world, calls),
    micros: [] as number[],
  }))
  await measure(subjects)
  for (let run = 0; run < runs; run++) {
    for (const [index, micros] of (await measure(subjects)).entries()) {
      subjects[index]?.micros.push(micros)
    }
  }
  const medians = subjects.map(({ micros }) => median(micros))
  const [ofSmall = 0, ofFewer = 0, ofLarge = 0] = medians
  for (const [index, { world }] of subjects.entries()) {
    printLine(`${name(world)}: ${(medians[index] ?? 0).toFixed(2)} us CPU a call`)
  }
  const ratio = ofLarge / ofSmall
  printLine(`ratio ${ratio.toFixed(3)}: ${ratio <= most ? 'met' : 'MISSED'}, at most ${most}`)
  printLine(`against fewer bindings as well ${(ofLarge / ofFewer).toFixed(3)}`)
  const grown = (of: 'rss' | 'heapUsed') => ((after[of] - before[of]) / 2 ** 20).toFixed(1)
  printLine(`the large one takes ${grown('rss')} MB of memory, ${grown('heapUsed')} MB of it heap`)
  if (ratio > most) process.exitCode = 1
  for (const { world } of subjects) await world.close()
}

function open(size: Size): Promise<World> {
  return openWorld(join(directory, `${size.accounts}-${size.bindings}`), size)
}

/**
 * Microseconds of processor time of one call to each: the thread of the store has nothing to do. They
 * take turns within a run, each being first as often, for the machine's speed changes by the second.
 */
async function measure(
  subjects: readonly { world: World; bodies: readonly Buffer[] }[],
): Promise<number[]> {
  const spent = subjects.map(() => 0)
  for (let turn = 0; turn < turnsPerRun; turn++) {
    const order = [...subjects.entries()]
    for (const [index, { world, bodies }] of turn % 2 === 0 ? order : order.toReversed()) {
      const before = process.cpuUsage()
      for (const body of bodies) await route(world, body)
      const { user, system } = process.cpuUsage(before)
      spent[index]! += (user + system) / (calls * turnsPerRun)
    }
  }
  return spent
}

function name({ accounts, pools, bindings }: Size): string {
  const count = (number: number) => number.toLocaleString('en')
  return `${count(accounts)} accounts, pools: ${pools}, bindings: ${count(bindings)}`
}
