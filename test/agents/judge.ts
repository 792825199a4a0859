import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialectOf, dialectOfPath } from './dialects.ts'
import type { Evidence } from './try-agent.ts'

export interface Verdict {
  /** Requests of the tool loop that reached the account. */
  readonly turns: number
  readonly seconds: number
  /** What is wrong; nothing where the agent did its work. */
  readonly faults: readonly string[]
  /** Hosts beyond this machine that the agent asked for, in vain. */
  readonly wanted: readonly string[]
  /** What the agent asked the gateway for: methods and paths. */
  readonly endpoints: readonly string[]
}

export function judge(evidence: Evidence): Verdict {
  const { run, requests, exchanges, wanted } = evidence
  const faults = [
    ...faultsOfRun(evidence),
    ...faultsAtAccount(evidence),
    ...faultsOfGateway(evidence),
  ]
  const tails = [run.stdout, run.stderr].map((text) => text.trim().slice(-2000))
  return {
    turns: requests.filter(({ told }) => told !== 'chat').length,
    seconds: run.seconds,
    faults: faults.length === 0 ? [] : [...faults, ...tails.filter((text) => text !== '')],
    wanted,
    endpoints: exchanges.map(({ method, path }) => `${method} ${path}`),
  }
}

function faultsOfRun({ run, word, work }: Evidence): string[] {
  const proof = join(work, 'proof.txt')
  const copied = existsSync(proof) && readFileSync(proof, 'utf8') === `${word}\n`
  return named({
    [`the agent ended with ${run.exitCode}`]: run.exitCode !== 0,
    'its output lacks the word': !run.stdout.includes(word),
    'the file is not copied': !copied,
  })
}

function faultsAtAccount({ trial, requests }: Evidence): string[] {
  const told = (what: string) => requests.some((request) => request.told === what)
  const foreign = requests.filter(({ url }) => dialectOfPath(url) !== dialectOf(trial.account))
  const refused = requests.filter(({ status }) => status >= 400)
  return [
    ...named({
      'the account never called the tool': !told('call'),
      'the account never saw a result of the tool': !told('word'),
    }),
    ...foreign.map(({ url }) => `the account does not speak ${url}`),
    ...refused.map(({ url, status, refusal }) => `the account: ${url} ${status} ${refusal}`),
  ]
}

function faultsOfGateway({ exchanges, complaints }: Evidence): string[] {
  const failed = exchanges.filter(({ status }) => status >= 400)
  return [
    ...named({ 'the gateway was not asked': exchanges.length === 0 }),
    ...failed.map(({ method, path, status }) => `the gateway: ${method} ${path} ${status}`),
    ...complaints.map((complaint) => `the gateway: ${JSON.stringify(complaint)}`),
  ]
}

function named(faults: Record<string, boolean>): string[] {
  return Object.keys(faults).filter((name) => faults[name])
}
