import { randomBytes } from 'node:crypto'

import { environmentTokenId } from '../../configuration/check-admin.ts'
import { roles } from '../../contract/roles.ts'
import { defined } from '../../lib/json/object.ts'
import { type Invocation, UsageError } from '../command.ts'
import { programName, sameGateway } from '../hints.ts'
import { parseExpiry, parseKeyId, requireKeyId } from '../keys/parse.ts'
import { choiceOf, reasonFor } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import { acts, lists } from '../remote/operations.ts'
import { describeToken, tokenRow, tokenTitles } from './describe.ts'

/** The advice for a store in memory. */
const change = { instead: 'add the token to admin.tokens in the configuration' }

/** `dragoman admin-tokens list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const create = `${programName()} admin-tokens create${sameGateway(invocation.options)}`
  return useAdmin(invocation, {}, (admin) =>
    printList(invocation, mapPages(readPages(admin, lists.adminTokens, { limit }), describeToken), {
      titles: tokenTitles,
      row: tokenRow,
      none: `No admin tokens exist. \`${create}\` creates one.`,
    }),
  )
}

/** `dragoman admin-tokens create`: prints the secret to standard output only, alone or in JSON, for scripts. */
export async function create(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const wanted = parseNewToken(invocation)
  const { token, secret } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.createAdminToken, wanted),
  )
  // Without a token the act is done, but the gateway cannot show its result.
  const { id, role, expires, ...rest } = token
    ? describeToken(token)
    : { id: wanted.id, role: undefined, expires: undefined }
  const described = defined({ id, role, expires, ...rest })
  if (options['json'] === undefined) terminal.out(secret)
  else terminal.out(JSON.stringify({ ...described, secret }))
  const what = `${role ? ` of role ${role}` : ''} is created${expires ? `, until ${expires}` : ''}`
  terminal.say(
    `The admin token "${id}"${what}. It is not shown again; running gateways accept it within two seconds.`,
  )
  return 0
}

/** `dragoman admin-tokens revoke ID`. */
export async function revoke(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'admin-tokens revoke', 'token')
  const input = { id, reason: reasonFor(invocation, 'admin-tokens revoke') }
  const { token } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.revokeAdminToken, input),
  )
  if (options['json'] !== undefined)
    terminal.out(JSON.stringify(token ? describeToken(token) : { id }))
  terminal.say(`The admin token "${id}" is revoked. Running gateways reject it within two seconds.`)
  return 0
}

/** The input of `admin-tokens create`. Throws `UsageError`. */
function parseNewToken(invocation: Invocation) {
  const { expires, reason } = invocation.options
  const role = choiceOf(invocation, 'role', roles) ?? 'admin'
  const id = parseKeyId(invocation) ?? `admin-${randomBytes(4).toString('hex')}`
  if (id === environmentTokenId) {
    throw new UsageError(`"${id}" is the id of the token in DRAGOMAN_ADMIN_TOKEN.`)
  }
  const expiresAt =
    expires === undefined ? undefined : new Date(parseExpiry(expires, Date.now())).toISOString()
  return { id, role: role.toUpperCase(), ...defined({ expiresAt, reason }) }
}
