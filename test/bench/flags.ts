/** The command line of the bench. */

import { parseArgs } from 'node:util'
import { subjectNames, type SubjectName } from './subjects/subject.ts'
import { workloadNames, type WorkloadName } from './workloads.ts'

export const help = `npm run bench -- [flags]

  --only NAMES       subjects, comma-separated: ${subjectNames.join(', ')}
  --workload NAMES   workloads, comma-separated: ${workloadNames.join(', ')}
  --seconds N        length of one throughput window (default 1)
  --rounds N         rounds over all subjects; medians are printed (default 5)
  --processes N      processes of each subject, one after another, in turned order (default 1).
                     Two processes of the same code differ by up to 5 %: compare checkouts with 5
  --former DIR       another checkout of the gateway, measured by turns with this one
  --json             the figures as JSON on stdout
  --profile          where the subject's time goes, by function (--only, default dragoman;
                     --workload, default json)
`

export interface Flags {
  subjects: SubjectName[]
  workloads: WorkloadName[]
  seconds: number
  rounds: number
  processes: number
  json: boolean
  profile: boolean
  /** Another checkout. */
  former: string | undefined
  help: boolean
}

/** Throws, with a message for the reader, on what it doesn't know. */
export function readFlags(args: string[]): Flags {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      workload: { type: 'string' },
      seconds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '5' },
      processes: { type: 'string', default: '1' },
      former: { type: 'string' },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { json, profile, former } = values
  return {
    subjects: pick(values.only, subjectNames, profile ? ['dragoman'] : subjectNames),
    workloads: pick(values.workload, workloadNames, profile ? ['json'] : workloadNames),
    seconds: between(values.seconds, 0.2, 30, '--seconds'),
    rounds: Math.round(between(values.rounds, 1, 20, '--rounds')),
    processes: Math.round(between(values.processes, 1, 20, '--processes')),
    json,
    profile,
    former,
    help: values.help,
  }
}

function pick<Name extends string>(
  list: string | undefined,
  known: readonly Name[],
  fallback: readonly Name[],
): Name[] {
  const names = list?.split(',').map((name) => name.trim()) ?? [...fallback]
  const unknown = names.filter((name) => !known.includes(name as Name))
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')} (${known.join(', ')})`)
  return names as Name[]
}

function between(text: string, least: number, most: number, flag: string): number {
  const value = Number(text)
  if (!(value >= least && value <= most)) throw new Error(`${flag} takes ${least} to ${most}`)
  return value
}
