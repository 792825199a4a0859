import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { requireRemoteReason } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { doAct } from '../remote/act.ts'
import { adminClientOf } from '../remote/client.ts'
import type { KeyNode } from '../remote/nodes.ts'
import { acts, lists } from '../remote/operations.ts'
import { readPages } from '../remote/pages.ts'
import { type KeyDescription, showSecret } from './describe.ts'
import { requireKeyId } from './key-store.ts'
import { parseGrace, parseNewKey } from './parse.ts'
import { type ListedKey, keyRow, keyTitles } from './table.ts'

/** `dragoman keys list --url URL`. */
export function listKeys(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const pages = readPages(adminClientOf(invocation), lists.keys, { limit })
  return printList(invocation, mapPages(pages, listedKey), {
    titles: keyTitles,
    row: keyRow,
    none: 'No API keys exist.',
  })
}

/** `dragoman keys create --url URL`: prints the secret to standard output only. */
export async function createKey(invocation: Invocation): Promise<number> {
  const { id, models, expiresAt, explain, losses } = parseNewKey(invocation)
  const input = defined({
    id,
    models,
    explain,
    losses: losses?.toUpperCase(),
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    reason: invocation.options['reason'],
  })
  const { key, secret } = await doAct(adminClientOf(invocation), acts.createKey, input)
  showSecret(key ? describeNode(key) : { id }, secret, invocation, 'issued')
  return 0
}

/** `dragoman keys rotate ID --url URL`: prints the new secret to standard output only. */
export async function rotateKey(invocation: Invocation): Promise<number> {
  const id = requireKeyId(invocation, 'keys rotate')
  const { grace, reason } = invocation.options
  const graceSeconds = grace === undefined ? undefined : parseGrace(grace) / 1_000
  if (!graceSeconds) requireRemoteReason(invocation, 'keys rotate without --grace')
  const input = defined({ id, graceSeconds, reason })
  const { key, secret } = await doAct(adminClientOf(invocation), acts.rotateKey, input)
  showSecret(key ? describeNode(key) : { id }, secret, invocation, 'rotated')
  return 0
}

/** `dragoman keys revoke ID --url URL --reason TEXT`. */
export async function revokeKey(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys revoke')
  const input = { id, reason: requireRemoteReason(invocation, 'keys revoke') }
  const { key } = await doAct(adminClientOf(invocation), acts.revokeKey, input)
  const described = key ? describeNode(key) : { id }
  if (options['json'] !== undefined) terminal.out(JSON.stringify(described))
  terminal.say(`The key "${id}" is revoked. Running gateways reject it within two seconds.`)
  return 0
}

const states = {
  ACTIVE: 'active',
  EXPIRED: 'expired',
  REVOKED: 'revoked',
  DAMAGED: 'unreadable',
} as const

/** Describes a key of a running gateway as `keys list` does those of the store. */
function describeNode(node: KeyNode): KeyDescription {
  const { id, state, models, explain, losses } = node
  return {
    id,
    state: states[state],
    ...(models && { models: [...models] }),
    ...(explain && { explain }),
    ...(losses && { losses: policies[losses] }),
    ...(node.expiresAt !== null && { expires: node.expiresAt }),
    ...(node.createdAt !== null && { created: node.createdAt }),
    ...(node.rotatedAt !== null && { rotated: node.rotatedAt }),
    ...(node.graceUntil !== null && { graceUntil: node.graceUntil }),
  }
}

const policies = { DROP: 'drop', NATIVE: 'native', REJECT: 'reject' } as const

function listedKey(node: KeyNode): ListedKey {
  return { ...describeNode(node), from: node.managedBy === 'FILE' ? 'configuration' : 'store' }
}
