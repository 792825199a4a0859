import { parseArgs } from 'node:util'

import { nearest } from '../lib/nearest.ts'
import { type Command, type Option, type CommandOptions, UsageError } from './command.ts'
import { commonOptions } from './options.ts'

/** What a command line asks for. */
export interface Parsed {
  /** Absent where only help or the version was asked for. */
  command: Command | undefined
  options: CommandOptions
  operand: string | undefined
}

const versionOption: Option = { name: 'version', short: 'v', help: 'Show versions' }

/**
 * Reads a command line. Throws `UsageError`, which names what was probably meant. Without a command,
 * it is the first one.
 */
export function parseCommandLine(words: readonly string[], commands: readonly Command[]): Parsed {
  const known = [...commonOptions, versionOption, ...commands.flatMap(({ options }) => options)]
  const tokens = tokenize(words, known)
  const operands = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const given = tokens.filter((token) => token.kind === 'option')

  for (const option of given) assertKnown(option, known)

  const wantsHelp = given.some(({ name }) => name === 'help')
  const group = commands.some(({ name }) => name.startsWith(`${operands[0]} `))
  if (given.some(({ name }) => name === 'version') || (wantsHelp && operands.length === 0)) {
    return { command: undefined, options: toOptions(given, known), operand: undefined }
  }
  if (wantsHelp && group && operands.length === 1) {
    return { command: undefined, options: toOptions(given, known), operand: operands[0] }
  }
  const command = findCommand(operands, commands)
  const rest = operands.slice(operands.length === 0 ? 0 : command.name.split(' ').length)
  const allowed = [...commonOptions, ...command.options]
  for (const option of given) assertAllowed(option, command, allowed)
  assertOperands(rest, command)
  return { command, options: toOptions(given, allowed), operand: rest[0] }
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
  // Its strict mode stops at the first surprise and knows nothing of commands.
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
  throw new UsageError(`\`${first}\` needs one of ${names.join(', ')}.`)
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
    throw new UsageError(`\`${command.name}\` does not take ${token.rawName}.`)
  }
  const mistaken = !token.inlineValue && token.value?.startsWith('-')
  if (option.value && (token.value === undefined || mistaken)) {
    throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value}`)
  }
  if (!option.value && token.value !== undefined) {
    throw new UsageError(`${token.rawName} takes no value.`)
  }
}

function assertOperands(given: readonly string[], { name, operand }: Command): void {
  if (operand === undefined && given.length > 0) {
    throw new UsageError(`\`${name}\` does not take "${given.at(-1)}".`)
  }
  if (given.length <= 1) return
  const what = operand?.replace(/[[\]]/g, '')
  throw new UsageError(
    `\`${name}\` takes one ${what}, but ${given.length} were given: ${given.join(', ')}.`,
  )
}

function toOptions(tokens: readonly OptionToken[], allowed: readonly Option[]): CommandOptions {
  const names = new Set(allowed.map(({ name }) => name))
  return Object.fromEntries(
    tokens.filter(({ name }) => names.has(name)).map(({ name, value }) => [name, value ?? '']),
  )
}

function unknown(kind: string, word: string, candidates: readonly string[]): UsageError {
  const meant = nearest(word, candidates)
  const hint = meant ? `Did you mean \`${meant}\`?` : `There is ${candidates.join(', ')}.`
  return new UsageError(`There is no ${kind} "${word}". ${hint}`)
}
