import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { LineSink } from '../lib/log.ts'

/** A command of the command line. Help, parsing and dispatch are derived from it. */
export interface Command {
  /** `check`, `keys create`. */
  readonly name: string
  /** One line. */
  readonly summary: string
  /** The argument after the name, as the help shows it: `ID`, or `[ID]` if it is optional. */
  readonly operand?: string
  readonly options: readonly Option[]
  /** Imports the implementation. Lazy, so that no command loads the modules of another. */
  readonly load: () => Promise<{ run: Run }>
}

/** Executes a command; resolves with the exit code. */
type Run = (invocation: Invocation) => Promise<number>

/** An option of a command. */
export interface Option {
  /** Without the dashes. */
  readonly name: string
  readonly short?: string
  /** Placeholder of the option's value in the help: `FILE`. Absent: the option takes no value. */
  readonly value?: string
  readonly help: string
}

/** The arguments of one command call. */
export interface Invocation {
  readonly options: CommandOptions
  readonly operand: string | undefined
  readonly terminal: Terminal
}

/** Values by option name; `''` for an option that takes none. */
export type CommandOptions = Readonly<Partial<Record<string, string>>>

/** The environment of a command: its output streams, environment variables and working directory. */
export interface Terminal {
  /** Prints data, for pipes, to standard output. */
  readonly out: (text: string) => void
  /**
   * Prints a part of the data as it is, and resolves when the reader can take more. Rejects with
   * `OutputClosed` if the reader has ended.
   */
  readonly print: (text: string) => Promise<void>
  /** Prints messages for people to standard error. */
  readonly say: (text: string) => void
  /** Receives the access log. */
  readonly stdout: LineSink
  /** Receives the gateway's own log. */
  readonly stderr: LineSink
  readonly env: EnvironmentVariables
  readonly cwd: string
}

/** The command line is not valid. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Who reads the output has enough, as `head`: the command ends without a message. */
export class OutputClosed extends Error {
  constructor() {
    super('Standard output is closed.')
    this.name = 'OutputClosed'
  }
}

/** A valid command failed for an expected reason. Exit code 1. */
export class CommandError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CommandError'
  }
}
