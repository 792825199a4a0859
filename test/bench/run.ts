/** `npm run bench`: the gateway beside what it competes with, on one machine in one run. */

import { availableParallelism, cpus } from 'node:os'
import { help, readFlags, type Flags } from './flags.ts'
import { type Measurements, joinSeries, measure } from './measure.ts'
import { profileAll } from './profile.ts'
import { beginBench, endWell } from './run-bench.ts'
import { stopChild } from './children.ts'
import { openStage, startSubject, type Stage, type Target } from './stage.ts'
import { summarise } from './summary.ts'
import { printTables, printTargets } from './table.ts'
import { judgeTargets } from './targets.ts'

await endWell(() => main(process.argv.slice(2)))

async function main(args: string[]): Promise<void> {
  const flags = readFlags(args)
  if (flags.help) return print(help)
  beginBench()
  const stage = await openStage()
  if (flags.profile) return print(await profileAll(stage, flags))
  await compare(stage, flags)
}

async function compare(stage: Stage, flags: Flags): Promise<void> {
  const { series, absent } = await measureSeries(stage, flags)
  const rows = summarise(joinSeries(series))
  const targets = judgeTargets(rows)
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: availableParallelism() }
  const { seconds, rounds, processes } = flags
  if (flags.json) {
    return print(
      `${JSON.stringify({ machine, seconds, rounds, processes, rows, targets, absent }, null, 2)}\n`,
    )
  }
  const title = `node ${machine.node}, ${machine.cpu}, ${processes} x ${rounds} rounds of ${seconds} s\n`
  const left = Object.entries(absent).map(([name, reason]) => `without ${name}: ${reason}\n`)
  print([title, printTables(rows), printTargets(targets), ...left].join('\n'))
}

/** A process is fast or slow for all of its life, and comes first or last in each of its rounds. */
async function measureSeries(stage: Stage, flags: Flags) {
  const series: Measurements[][] = []
  let absent: Record<string, string> = {}
  for (let turn = 0; turn < flags.processes; turn++) {
    const subjects = turn % 2 === 0 ? flags.subjects : flags.subjects.toReversed()
    const started = await startSubjects(stage, { ...flags, subjects })
    ;({ absent } = started)
    series.push(await measure(stage, started.present, flags))
    await Promise.all(started.present.map(({ child }) => stopChild(child)))
  }
  return { series, absent }
}

/** Starts what can be started; what can't is named with its reason, not dropped in silence. */
async function startSubjects(stage: Stage, flags: Flags) {
  const present: Target[] = []
  const absent: Record<string, string> = {}
  for (const name of flags.subjects) {
    const started = await startSubject(stage, name, flags)
    if (typeof started === 'string') absent[name] = started
    else present.push(started)
  }
  return { present, absent }
}

function print(text: string): void {
  process.stdout.write(text)
}
