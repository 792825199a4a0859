import { randomBytes } from 'node:crypto'

import { environmentTokenId } from '../../configuration/check-admin.ts'
import { type Role, roles } from '../../contract/roles.ts'
import { type Invocation, UsageError } from '../command.ts'
import { programName } from '../hints.ts'
import { parseKeyId } from '../keys/key-store.ts'
import { parseExpiry } from '../keys/parse.ts'

/** The token that `admin-tokens create` asks for. */
interface NewToken {
  readonly id: string
  readonly role: Role
  readonly expiresAt: number | undefined
}

/** Reads the options of `admin-tokens create`. Throws `UsageError`. */
export function parseNewToken(invocation: Invocation): NewToken {
  const { role = 'admin', expires } = invocation.options
  const id = parseKeyId(invocation) ?? `admin-${randomBytes(4).toString('hex')}`
  if (id === environmentTokenId) {
    throw new UsageError(`"${id}" is the id of the token in DRAGOMAN_ADMIN_TOKEN.`)
  }
  const expiresAt = expires === undefined ? undefined : parseExpiry(expires, Date.now())
  return { id, role: parseRole(role), expiresAt }
}

/** The id of a token that exists. Throws `UsageError` if the command line has none. */
export function requireTokenId(invocation: Invocation): string {
  const id = parseKeyId(invocation)
  if (id !== undefined) return id
  const program = programName()
  throw new UsageError(
    `Which token? \`${program} admin-tokens revoke ID\`; \`${program} admin-tokens list\` shows them.`,
  )
}

function parseRole(text: string): Role {
  const role = roles.find((one) => one === text)
  if (role) return role
  throw new UsageError(`--role takes ${roles.join(', ')}, not "${text}".`)
}
