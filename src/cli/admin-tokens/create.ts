import { randomBytes } from 'node:crypto'

import { environmentTokenId } from '../../configuration/check-admin.ts'
import { type Role, roles } from '../../contract/roles.ts'
import { type IssuedAdminToken, createAdminToken } from '../../stores/admin-tokens.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { parseExpiry } from '../keys/parse.ts'
import { parseKeyId } from '../keys/key-store.ts'
import { actOnStore } from '../audit/act.ts'
import { assertTokenChangeable, readForTokens } from './change.ts'
import { showIssuedToken } from './describe.ts'

/** `dragoman admin-tokens create`: prints the secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  const { role = 'admin', expires } = invocation.options
  const token = {
    id: parseKeyId(invocation) ?? `admin-${randomBytes(4).toString('hex')}`,
    role: parseRole(role),
    expiresAt: expires === undefined ? undefined : parseExpiry(expires, Date.now()),
    createdBy: 'process:command-line',
  }
  const { id } = token
  if (id === environmentTokenId) {
    throw new UsageError(`"${id}" is the id of the token in DRAGOMAN_ADMIN_TOKEN.`)
  }
  const configuration = await readForTokens(invocation)
  assertTokenChangeable(configuration, id)
  const issued = await actOnStore(configuration, tokenCreation(id), async (store) => {
    const result = await createAdminToken(store, token)
    if (result) return result
    throw new CommandError(`The admin token "${id}" already exists.`)
  })
  showIssuedToken(issued, invocation)
  return 0
}

/** The creation of a token, for its audit record. */
export function tokenCreation(id: string) {
  return {
    action: 'admin-token.create',
    target: { type: 'admin-token', id },
    after: ({ token: { role, expiresAt } }: IssuedAdminToken) => ({
      role,
      expiresAt: new Date(expiresAt).toISOString(),
    }),
  }
}

function parseRole(text: string): Role {
  const role = roles.find((one) => one === text)
  if (role) return role
  throw new UsageError(`--role takes ${roles.join(', ')}, not "${text}".`)
}
