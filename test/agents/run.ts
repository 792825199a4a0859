/**
 * `npm run test:agents`: real coding agents complete a tool loop through the gateway, without a
 * network, on accounts of their own dialect and of foreign ones. Arguments are names of agents.
 */

import { judge, type Verdict } from './judge.ts'
import { installPackages } from './packages.ts'
import { endAgentsOnExit } from './run-agent.ts'
import { lineOf, tableOf } from './table.ts'
import { trials, type Trial } from './trials.ts'
import { tryAgent } from './try-agent.ts'

const chosen = trialsOf(process.argv.slice(2))
installPackages()
endAgentsOnExit()

const lines: string[][] = []
const hosts = new Map<string, Set<string>>()
for (const trial of chosen) {
  const verdict = await tryAgent(trial, judge)
  lines.push(lineOf(trial, verdict))
  remember(trial, verdict)
  if (verdict.faults.length > 0) process.exitCode = 1
  process.stderr.write(report(trial, verdict))
}
process.stdout.write(`\n${tableOf(lines)}\n`)
for (const [name, wanted] of hosts)
  process.stdout.write(`${name} asked in vain for ${[...wanted].join(', ')}\n`)

/** All, or those whose name holds one of these words. */
function trialsOf(words: readonly string[]): readonly Trial[] {
  const isMeant = ({ agent }: Trial) =>
    words.some((word) => agent.name.toLowerCase().includes(word.toLowerCase()))
  const meant = words.length === 0 ? trials : trials.filter(isMeant)
  if (meant.length === 0) throw new Error(`there is no agent ${words.join(' ')}`)
  return meant
}

function report({ agent, account }: Trial, { faults, endpoints }: Verdict): string {
  const asked = [...new Set(endpoints)].join(', ')
  const head = `${agent.name} on ${account}: ${faults.length === 0 ? 'ok' : 'FAILED'} (${asked})\n`
  return head + faults.map((fault) => `  ${fault.replaceAll('\n', '\n  ')}\n`).join('')
}

function remember({ agent }: Trial, { wanted }: Verdict): void {
  const known = hosts.get(agent.name) ?? new Set()
  if (wanted.length > 0) hosts.set(agent.name, new Set([...known, ...wanted]))
}
