import { parseArgs } from 'node:util'

import { nearest } from '../lib/nearest.ts'
import { type Command, type Option, type CommandOptions, UsageError } from './command.ts'
import { commonOptions } from './options.ts'

/** A parsed command line. */
interface Parsed {
  /** Absent if the command line requests only help or the version. */
  command: Command | undefined
  options: CommandOptions
  operand: string | undefined
}

const versionOption: Option = { name: 'version', short: 'v', help: 'Show versions' }

/**
 * Parses a command line. Without a command, the first of `commands` applies. Throws `UsageError`,
 * which suggests the nearest valid word.
 */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): Parsed {
  const known = [...commonOptions, versionOption, ...commands.flatMap(({ options }) => options)]
  const tokens = tokenize(words, known)
  const operands = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const used = tokens.filter((token) => token.kind === 'option')

  for (const option of used) assertKnown(option, known)

  const wantsHelp = used.some(({ name }) => name === 'help')
  const group = commands.some(({ name }) => name.startsWith(`${operands[0]} `))
  if (used.some(({ name }) => name === 'version') || (wantsHelp && operands.length === 0)) {
    return { command: undefined, options: toOptions(used, known), operand: undefined }
  }
  if (wantsHelp && group && operands.length === 1) {
    return { command: undefined, options: toOptions(used, known), operand: operands[0] }
  }
  const command = findCommand(operands, commands)
  const rest = operands.slice(operands.length === 0 ? 0 : command.name.split(' ').length)
  const allowed = [...commonOptions, ...command.options]
  for (const option of used) assertAllowed(option, command, allowed)
  assertOperands(rest, command)
  return { command, options: toOptions(used, allowed), operand: rest[0] }
}

type Token = NonNullable<ReturnType<typeof tokenizeWith>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

function tokenize(words: readonly string[], known: readonly Option[]): Token[] {
  return tokenizeWith(words, known).tokens ?? []
}

function tokenizeWith(words: readonly string[], known: readonly Option[]) {
  const options = Object.fromEntries(
    known.map(({ name, short, value }) => [
      name,
      { type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) },
    ]),
  )
  // The strict mode of `parseArgs` knows no commands and suggests no words.
  return parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
}

function findCommand(operands: readonly string[], commands: readonly Command[]): Command {
  const [first, second] = operands
  if (first === undefined) return commands[0] as Command
  const exact = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  if (exact) return exact
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) throw unknown('command', first, topLevel(commands))
  const names = group.map(({ name }) => name.slice(first.length + 1))
  if (second !== undefined)
    throw unknown(
      'command',
      `${first} ${second}`,
      group.map(({ name }) => name),
    )
  throw new UsageError(`\`${first}\` requires one of ${names.join(', ')}.`)
}

function topLevel(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ', 1)[0] ?? name))]
}

function assertKnown({ name, rawName }: OptionToken, known: readonly Option[]): void {
  if (known.some((option) => option.name === name)) return
  throw unknown('option', rawName, [...new Set(known.map((option) => `--${option.name}`))])
}

function assertAllowed(token: OptionToken, command: Command, allowed: readonly Option[]): void {
  const option = allowed.find(({ name }) => name === token.name)
  if (!option) {
    throw new UsageError(`\`${command.name}\` does not accept ${token.rawName}.`)
  }
  const mistaken = !token.inlineValue && token.value?.startsWith('-')
  if (option.value && (token.value === undefined || mistaken)) {
    throw new UsageError(`${token.rawName} requires a value: ${token.rawName} ${option.value}`)
  }
  if (!option.value && token.value !== undefined) {
    throw new UsageError(`${token.rawName} takes no value.`)
  }
}

function assertOperands(operands: readonly string[], { name, operand }: Command): void {
  if (operand === undefined && operands.length > 0) {
    throw new UsageError(`\`${name}\` does not accept "${operands.at(-1)}".`)
  }
  if (operands.length <= 1) return
  const label = operand?.replace(/[[\]]/g, '')
  throw new UsageError(
    `\`${name}\` takes one ${label}, not ${operands.length}: ${operands.join(', ')}.`,
  )
}

function toOptions(tokens: readonly OptionToken[], allowed: readonly Option[]): CommandOptions {
  const names = new Set(allowed.map(({ name }) => name))
  return Object.fromEntries(
    tokens.filter(({ name }) => names.has(name)).map(({ name, value }) => [name, value ?? '']),
  )
}

function unknown(
  kind: 'command' | 'option',
  word: string,
  candidates: readonly string[],
): UsageError {
  const meant = nearest(word, candidates)
  const title = kind === 'command' ? 'Commands' : 'Options'
  const hint = meant ? `Did you mean \`${meant}\`?` : `${title}: ${candidates.join(', ')}.`
  return new UsageError(`Unknown ${kind} "${word}". ${hint}`)
}
