import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { LineSink } from '../lib/line-writer.ts'
import { visible } from '../lib/visible.ts'
import { OutputClosed, type Terminal } from './command.ts'

/** The streams and the place of a command. */
interface TerminalOptions {
  readonly stdout: LineSink
  readonly stderr: LineSink
  readonly env: EnvironmentVariables
  readonly cwd: string
}

/**
 * Creates the terminal of a command. The output of commands is escaped: names that clients or accounts chose
 * must not steer the terminal of an operator.
 */
export function createTerminal({ stdout, stderr, env, cwd }: TerminalOptions): Terminal {
  return {
    out: (text) => void stdout.write(`${visible(text)}\n`),
    say: (text) => void stderr.write(`${visible(text)}\n`),
    print: (text) =>
      new Promise((resolve, reject) => {
        // Node passes the error of a pipe whose reader has ended.
        const written = (error?: unknown) => (error ? reject(new OutputClosed()) : resolve())
        stdout.write(visible(text), written)
      }),
    stdout,
    stderr,
    env,
    cwd,
  }
}
