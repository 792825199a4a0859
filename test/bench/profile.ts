/** Where a subject's time goes under load: its hottest functions, by self time. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stopChild, temporaryDirectory } from './children.ts'
import { selfTimes, type CpuProfile, type SelfTime } from './cpu-profile.ts'
import type { Flags } from './flags.ts'
import { drive, startSubject, type Stage } from './stage.ts'
import type { SubjectName } from './subjects/subject.ts'
import { align } from './align.ts'
import type { WorkloadName } from './workloads.ts'

const shown = 25

export async function profileAll(
  stage: Stage,
  { subjects, workloads, seconds }: Flags,
): Promise<string> {
  const parts: string[] = []
  for (const subject of subjects) {
    for (const workload of workloads) {
      parts.push(`${subject}, ${workload}\n${await profile(stage, subject, workload, seconds)}\n`)
    }
  }
  return parts.join('\n')
}

async function profile(
  stage: Stage,
  name: SubjectName,
  workload: WorkloadName,
  seconds: number,
): Promise<string> {
  if (name === 'nginx') return 'not a Node process'
  const directory = join(temporaryDirectory(), `profile-${name}-${workload}`)
  const flags = ['--cpu-prof', `--cpu-prof-dir=${directory}`]
  const target = await startSubject(
    stage,
    name,
    { workloads: [workload], former: undefined },
    flags,
  )
  if (typeof target === 'string') return target
  const warmupMillis = 1500
  const from = monotonicMicros() + warmupMillis * 1000
  await drive(stage, target, workload, {
    connections: 32,
    warmupMillis,
    windowMillis: seconds * 1000,
  })
  const to = from + seconds * 1e6
  // The profile is written when the process ends of its own accord.
  await stopChild(target.child)
  return print(selfTimes(readProfile(directory), from, to))
}

/** The clock Node and V8 share over process borders. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

function readProfile(directory: string): CpuProfile {
  const [file] = readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error('the subject ended without writing its profile')
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as CpuProfile
}

function print(times: SelfTime[]): string {
  const total = times.reduce((sum, { micros }) => sum + micros, 0)
  const lines = times
    .slice(0, shown)
    .map(({ place, micros }) => [
      `${((micros / total) * 100).toFixed(1).padStart(5)}%`,
      `${(micros / 1000).toFixed(0)} ms`,
      place,
    ])
  return lines.length === 0 ? 'no samples' : align(lines)
}
