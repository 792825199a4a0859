import { type Invocation, UsageError } from './command.ts'
import { programName } from './hints.ts'
import { isRemote } from './remote/address.ts'

/** The id from the operand or `--id`, or from another option. Throws `UsageError` if there are two. */
export function singleId(
  { operand, options }: Pick<Invocation, 'operand' | 'options'>,
  option = 'id',
): string | undefined {
  const id = options[option] ?? operand
  if (operand === undefined || operand === id) return id
  throw new UsageError(`The command line has two ${option}s: "${operand}" and "${id}".`)
}

/**
 * The id of a command such as `accounts disable`, or what another option names. Throws `UsageError` if it is missing or
 * there are two.
 */
export function requireId(
  invocation: Pick<Invocation, 'operand' | 'options'>,
  noun: string,
  command: string,
  option = 'id',
): string {
  const id = singleId(invocation, option)
  if (id) return id
  const program = programName()
  const [group] = command.split(' ')
  throw new UsageError(
    `Which ${noun}? \`${program} ${command} ${option.toUpperCase()}\`; \`${program} ${group} list\` shows them.`,
  )
}

/** The value of an option that takes one of some words, in any case. Throws `UsageError`. */
export function choiceOf<Word extends string>(
  { options }: Pick<Invocation, 'options'>,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  const word = words.find((one) => one === text.toLowerCase())
  if (word) return word
  throw new UsageError(`--${name} takes ${words.join(', ')}, not "${text}".`)
}

/** The word of the command line for a value of an enum of the admin API: `circuit-open` for `CIRCUIT_OPEN`. */
export function wordOf(value: string): string {
  return value.toLowerCase().replaceAll('_', '-')
}

/** An option that names a value of an enum of the admin API by its word. Throws `UsageError`. */
export function enumChoiceOf<Value extends string>(
  invocation: Pick<Invocation, 'options'>,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const word = choiceOf(invocation, name, values.map(wordOf))
  return values.find((value) => wordOf(value) === word)
}

/** `--reason TEXT`, which a command needs everywhere. Throws `UsageError`. */
export function requireReason(
  { options: { reason } }: Pick<Invocation, 'options'>,
  command: string,
): string {
  if (reason) return reason
  throw new UsageError(`\`${command}\` needs --reason TEXT, which goes into the audit log.`)
}

/** The reason in the audit record of a command on the store without `--reason`. */
const noReason = 'no reason given'

/**
 * `--reason TEXT` of an act that needs a reason. A command on the store may do without. Throws `UsageError` for one on
 * a running gateway.
 */
export function reasonFor(invocation: Invocation, command: string): string {
  const { reason } = invocation.options
  if (reason) return reason
  if (!isRemote(invocation)) return noReason
  throw new UsageError(
    `\`${command}\` on a running gateway (--url or DRAGOMAN_ADMIN_URL) needs --reason TEXT, which goes into the audit log.`,
  )
}
