import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

import { until } from '../../src/testing/until.ts'

export interface Shell {
  readonly child: ChildProcess
  readonly output: { text: string }
  /** The exit code, when it has ended. */
  readonly ended: Promise<number | null>
  /** Sends a signal to the command and to all that it has started, as a terminal does. */
  signal(signal: NodeJS.Signals): void
}

/** Commands in one directory. They are killed at the end. */
export interface Shells extends AsyncDisposable {
  /** Runs a command in a shell of its own. */
  start(command: string, env?: Record<string, string>): Shell
  /** Runs a command to its end and returns its output; rejects where it fails. */
  run(command: string, env?: Record<string, string>): Promise<string>
}

export function openShells(cwd: string, common: NodeJS.ProcessEnv): Shells {
  const shells: Shell[] = []

  const start = (command: string, env: Record<string, string> = {}): Shell => {
    // No balancer has to notice that a gateway ends.
    const all = { DRAGOMAN_DRAIN_DELAY_MS: '0', ...common, ...env }
    const child = spawn('sh', ['-c', command], { cwd, detached: true, env: all })
    const output = { text: '' }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output.text += chunk))
    }
    const ended = once(child, 'close').then(([code]) => code as number | null)
    const shell = { child, output, ended, signal: (name: NodeJS.Signals) => send(child, name) }
    shells.push(shell)
    return shell
  }

  return {
    start,
    async run(command, env) {
      const { output, ended } = start(command, env)
      const code = await ended
      if (code !== 0) throw new Error(`\`${command}\` ended with ${code}:\n${output.text}`)
      return output.text
    },
    async [Symbol.asyncDispose]() {
      for (const shell of shells) shell.signal('SIGKILL')
      await Promise.all(shells.map(({ ended }) => ended))
    },
  }
}

function send({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has just ended by itself.
  }
}

/** Waits until a command has printed something. */
export async function printed(shell: Shell, pattern: RegExp): Promise<RegExpMatchArray> {
  await until(() => pattern.test(shell.output.text) || shell.child.exitCode !== null, 15_000)
  const match = pattern.exec(shell.output.text)
  if (!match) throw new Error(`It did not say ${pattern}:\n${shell.output.text}`)
  return match
}
