import { dialectOf } from './dialects.ts'
import { pinnedVersion } from './packages.ts'
import type { Verdict } from './judge.ts'
import type { Trial } from './trials.ts'

const columns = [
  'agent',
  'version',
  'model',
  'client dialect',
  'account dialect',
  'turns',
  'seconds',
  'result',
]

/** One line for each trial, told while the others still run. */
export function lineOf({ agent, account }: Trial, verdict: Verdict): string[] {
  return [
    agent.name,
    pinnedVersion(agent.packageName),
    agent.model,
    agent.dialect,
    dialectOf(account) === agent.dialect ? account : `${account} (foreign)`,
    String(verdict.turns),
    verdict.seconds.toFixed(1),
    verdict.faults.length === 0 ? 'ok' : 'FAILED',
  ]
}

export function tableOf(lines: readonly string[][]): string {
  const all = [columns, ...lines]
  const widths = columns.map((_, at) => Math.max(...all.map((line) => line[at]!.length)))
  const padded = all.map((line) => line.map((cell, at) => cell.padEnd(widths[at]!)).join('  '))
  return `${padded.map((line) => line.trimEnd()).join('\n')}\n`
}
