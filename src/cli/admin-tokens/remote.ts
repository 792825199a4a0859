import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { requireRemoteReason } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { doAct } from '../remote/act.ts'
import { adminClientOf } from '../remote/client.ts'
import type { AdminTokenNode } from '../remote/nodes.ts'
import { acts, lists } from '../remote/operations.ts'
import { readPages } from '../remote/pages.ts'
import { type TokenDescription, sayRevoked, showTokenSecret, tokenOrigins } from './describe.ts'
import { parseNewToken, requireTokenId } from './parse.ts'
import { tokenRow, tokenTitles } from './table.ts'

/** `dragoman admin-tokens list --url URL`. */
export function listTokens(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const pages = readPages(adminClientOf(invocation), lists.adminTokens, { limit })
  return printList(invocation, mapPages(pages, describeNode), {
    titles: tokenTitles,
    row: tokenRow,
    none: 'No admin tokens exist.',
  })
}

/** `dragoman admin-tokens create --url URL`: prints the secret to standard output only. */
export async function createToken(invocation: Invocation): Promise<number> {
  const { id, role, expiresAt } = parseNewToken(invocation)
  const input = defined({
    id,
    role,
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    reason: invocation.options['reason'],
  })
  const { token, secret } = await doAct(adminClientOf(invocation), acts.createAdminToken, input)
  showTokenSecret(token ? describeNode(token) : { id }, secret, invocation)
  return 0
}

/** `dragoman admin-tokens revoke ID --url URL --reason TEXT`. */
export async function revokeToken(invocation: Invocation): Promise<number> {
  const id = requireTokenId(invocation)
  const input = { id, reason: requireRemoteReason(invocation, 'admin-tokens revoke') }
  const { token } = await doAct(adminClientOf(invocation), acts.revokeAdminToken, input)
  sayRevoked(token ? describeNode(token) : { id }, invocation)
  return 0
}

/** Describes a token of a running gateway as `admin-tokens list` does those of the store. */
function describeNode(node: AdminTokenNode): TokenDescription {
  const { id, state, role, origin, createdBy } = node
  return {
    id,
    state: state.toLowerCase() as TokenDescription['state'],
    ...(role && { role }),
    from: tokenOrigins[origin],
    ...(node.expiresAt !== null && { expires: node.expiresAt }),
    ...(node.createdAt !== null && { created: node.createdAt }),
    ...(createdBy !== null && { createdBy }),
    ...(node.lastUsedAt !== null && { lastUsed: node.lastUsedAt }),
    ...(node.revokedAt !== null && { revoked: node.revokedAt }),
  }
}
