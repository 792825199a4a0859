import { type Invocation, UsageError } from './command.ts'
import { programName } from './hints.ts'

/**
 * The id from the operand or `--id` of a command such as `accounts disable`. Throws `UsageError` if it is
 * missing or there are two.
 */
export function requireId(
  { operand, options }: Pick<Invocation, 'operand' | 'options'>,
  noun: string,
  command: string,
): string {
  const { id = operand } = options
  if (operand !== undefined && operand !== id) {
    throw new UsageError(`The command line has two ids: "${operand}" and "${id}".`)
  }
  if (id) return id
  const program = programName()
  const [group] = command.split(' ')
  throw new UsageError(
    `Which ${noun}? \`${program} ${command} ID\`; \`${program} ${group} list\` shows them.`,
  )
}

/** `--reason TEXT`, which an act of the admin API needs. Throws `UsageError`. */
export function requireReason({ options: { reason } }: Pick<Invocation, 'options'>): string {
  if (reason) return reason
  throw new UsageError('Why? --reason TEXT goes into the audit log.')
}
