/** Who runs where: the subject has a core to itself, all that drives it shares the other. */

import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

export const subjectCore = 0
export const loadCore = 1

/** One core, or several, as the kernel likes. */
export type Cores = number | readonly number[]

/** The command line that runs `command` there; it becomes the command, pid and all. */
export function pinned(core: Cores, command: string[]): [string, string[]] {
  return ['taskset', ['-c', String(core), ...command]]
}

/** Says why this machine can't run the bench, or nothing when it can. */
export function whyUnfit(): string | undefined {
  if (process.platform !== 'linux') return 'the bench reads processor times from /proc: Linux only'
  if (spawnSync('taskset', ['--version']).error) return 'the bench needs `taskset` (util-linux)'
  if (availableParallelism() < 2) return 'the bench needs two cores: one for the subject alone'
  return undefined
}
