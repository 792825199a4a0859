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

/** `--reason TEXT`, which a command needs everywhere. Throws `UsageError`. */
export function requireReason(
  { options: { reason } }: Pick<Invocation, 'options'>,
  command: string,
): string {
  if (reason) return reason
  throw new UsageError(`\`${command}\` needs --reason TEXT, which goes into the audit log.`)
}

/** `--reason TEXT`, which a command needs for a running gateway, but not for its store. Throws `UsageError`. */
export function requireRemoteReason(
  { options: { reason } }: Pick<Invocation, 'options'>,
  command: string,
): string {
  if (reason) return reason
  throw new UsageError(
    `\`${command}\` on a running gateway (--url or DRAGOMAN_ADMIN_URL) needs --reason TEXT, which goes into the audit log.`,
  )
}
