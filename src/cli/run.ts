import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { LineSink } from '../lib/log.ts'
import { visible } from '../lib/visible.ts'
import { OutputClosed, type Terminal } from './command.ts'
import { commands } from './commands.ts'
import { commandHelp, programHelp } from './help.ts'
import { parseCommandLine } from './parse.ts'
import { packageVersion, routingLayerVersion } from './versions.ts'

/** Executes a command line; resolves with the exit code and never rejects. */
export async function run(
  words: readonly string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  try {
    return await dispatch(words, terminal)
  } catch (error) {
    if (error instanceof OutputClosed) return 0
    // Loaded here: the errors that it knows belong to large modules, which most commands do without.
    const { report } = await import('./report.ts')
    return report(error, { terminal, debug: words.includes('--debug') })
  }
}

function processTerminal(): Terminal {
  const { stdout, stderr, env } = process
  // With `dragoman check | head`, the pipe may close before all output is written.
  for (const stream of [stdout, stderr]) stream.on('error', () => {})
  return createTerminal({ stdout, stderr, env, cwd: process.cwd() })
}

async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  const { command, options, operand } = parseCommandLine(words, commands)
  if (options['version'] !== undefined) {
    terminal.out(`dragoman ${packageVersion()}\nrouting layer ${routingLayerVersion}`)
    return 0
  }
  if (!command || options['help'] !== undefined) {
    terminal.out(command ? commandHelp(command) : programHelp(commands, operand))
    return 0
  }
  const { run: runCommand } = await command.load()
  return runCommand({ options, operand, terminal })
}

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
