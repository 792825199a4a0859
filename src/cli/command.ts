import type { EnvironmentVariables } from '../configuration/secrets.ts'
import type { LineSink } from '../lib/line-writer.ts'

/** A command of the command line, as data: help, parsing and dispatch are made from it. */
export interface Command {
  /** `check`, `keys create`. */
  readonly name: string
  /** One line. */
  readonly summary: string
  /** What may follow the name besides options: `ID`. */
  readonly operand?: string
  readonly options: readonly Option[]
  /** What does it. Loaded when it is wanted, so that no command waits for the others. */
  readonly load: () => Promise<{ run: Run }>
}

/** Resolves with the exit code. */
export type Run = (invocation: Invocation) => Promise<number>

export interface Option {
  /** Without the dashes. */
  readonly name: string
  readonly short?: string
  /** What the option takes, for the help: `FILE`. Absent: it takes nothing. */
  readonly value?: string
  readonly help: string
}

/** A command as it was called. */
export interface Invocation {
  readonly options: CommandOptions
  readonly operand: string | undefined
  readonly terminal: Terminal
}

/** Values by option name; `''` for an option that takes none. */
export type CommandOptions = Readonly<Partial<Record<string, string>>>

/** What a command sees of the world around it. */
export interface Terminal {
  /** Data, for pipes. */
  readonly out: (text: string) => void
  /** Everything else, for people. */
  readonly say: (text: string) => void
  /** Where lines of logs go: those of requests, and those of the gateway itself. */
  readonly stdout: LineSink
  readonly stderr: LineSink
  readonly env: EnvironmentVariables
  readonly cwd: string
}

/** Called in a way that there is no command for. Exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** It was called rightly, but cannot be done. Exit code 1. */
export class CommandError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CommandError'
  }
}
