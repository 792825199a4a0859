/** `npm run bench`: the gateway beside what it competes with, on one machine in one run. */

import { availableParallelism, cpus } from 'node:os'
import { help, readFlags, type Flags } from './flags.ts'
import { measure } from './measure.ts'
import { profileAll } from './profile.ts'
import { beginBench, endWell } from './run-bench.ts'
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
  const { present, absent } = await startSubjects(stage, flags)
  const rows = summarise(await measure(stage, present, flags))
  const targets = judgeTargets(rows)
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: availableParallelism() }
  const { seconds, rounds } = flags
  if (flags.json) {
    return print(
      `${JSON.stringify({ machine, seconds, rounds, rows, targets, absent }, null, 2)}\n`,
    )
  }
  const title = `node ${machine.node}, ${machine.cpu}, ${rounds} rounds of ${seconds} s\n`
  const left = Object.entries(absent).map(([name, reason]) => `without ${name}: ${reason}\n`)
  print([title, printTables(rows), printTargets(targets), ...left].join('\n'))
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
