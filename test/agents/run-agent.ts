import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Agent, Place } from './agents/agent.ts'

/** What is left of a run. */
export interface Run {
  /** Null where the agent was ended for taking too long. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
}

const longestMs = 120_000
const running = new Set<number>()

/** Runs an agent to its end. Of our own environment it gets nothing but the search path. */
export async function runAgent(
  agent: Agent,
  place: Place,
  proxies: Readonly<Record<string, string>>,
): Promise<Run> {
  const { command, env, files } = agent.launch(place)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  const [file, ...args] = command
  const startedAt = performance.now()
  const child = spawn(file!, args, {
    cwd: place.work,
    env: { ...basics(place), ...proxies, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the agent started ends with it.
    detached: true,
  })
  const { promise: exit, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('exit', resolve).once('error', reject)
  if (child.pid !== undefined) running.add(child.pid)
  const timer = setTimeout(() => endGroup(child.pid), longestMs)
  try {
    const [exitCode, stdout, stderr] = await Promise.all([
      exit.finally(() => endGroup(child.pid)),
      text(child.stdout),
      text(child.stderr),
    ])
    return { exitCode, stdout, stderr, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    clearTimeout(timer)
  }
}

/** Covers an interrupt and an uncaught error. */
export function endAgentsOnExit(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(130))
  }
  process.on('exit', () => running.forEach(endGroup))
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined || !running.delete(pid)) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

function basics({ home }: Place): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    DO_NOT_TRACK: '1',
  }
}
