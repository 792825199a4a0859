import { inspect } from 'node:util'

import { ConfigurationError } from '../contract/problems.ts'
import { KeyConflict } from '../stores/keys.ts'
import { StoreUnavailable } from '../stores/store.ts'
import { CommandError, type Terminal, UsageError } from './command.ts'
import { programName } from './hints.ts'

/** Prints why a command failed, with the stack trace if `debug`. Returns the exit code. */
export function report(
  error: unknown,
  { terminal, debug }: { terminal: Terminal; debug: boolean },
): number {
  const message = error instanceof Error ? error.message : String(error)
  terminal.say(`dragoman: ${message}`)
  if (error instanceof UsageError)
    terminal.say(`\`${programName()} --help\` lists the commands and options.`)
  if (error instanceof StoreUnavailable)
    terminal.say(`\`${programName()} doctor\` looks for the cause.`)
  if (debug) terminal.say(inspect(error))
  else if (!isExpected(error)) terminal.say('Run again with --debug for the stack trace.')
  return exitCode(error)
}

function exitCode(error: unknown): number {
  if (error instanceof UsageError) return 2
  return error instanceof ConfigurationError ? 3 : 1
}

function isExpected(error: unknown): boolean {
  return [UsageError, ConfigurationError, CommandError, KeyConflict, StoreUnavailable].some(
    (kind) => error instanceof kind,
  )
}
