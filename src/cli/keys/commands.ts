import { defined } from '../../lib/json/object.ts'
import type { NewKey } from '../../stores/keys.ts'
import { type Invocation, UsageError } from '../command.ts'
import { programName, sameGateway } from '../hints.ts'
import { reasonFor } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import { acts, lists } from '../remote/operations.ts'
import { describeKey, keyRow, keyTitles, printIssued } from './describe.ts'
import {
  clearedSettings,
  parseGrace,
  parseKeySettings,
  parseNewKey,
  requireKeyId,
} from './parse.ts'

/** The advice for a store in memory. */
const change = { instead: 'add the key to keys in the configuration' }

/** `dragoman keys list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const { team } = invocation.options
  const create = `${programName()} keys create${sameGateway(invocation.options)}`
  return useAdmin(invocation, {}, (admin) =>
    printList(
      invocation,
      mapPages(
        readPages(admin, lists.keys, { limit, ...(team !== undefined && { filter: { team } }) }),
        describeKey,
      ),
      {
        titles: keyTitles,
        row: keyRow,
        none: `No API keys exist. \`${create}\` issues one.`,
      },
    ),
  )
}

/** `dragoman keys create`: prints the secret to standard output only. */
export async function create(invocation: Invocation): Promise<number> {
  const wanted = parseNewKey(invocation)
  const input = defined({ ...inputOf(wanted), reason: invocation.options['reason'] })
  const { key, secret } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.createKey, input),
  )
  printIssued(key ? describeKey(key) : { id: wanted.id }, secret, invocation, 'issued')
  return 0
}

/** The settings of a key as the API takes them. */
function inputOf({ expiresAt, labels, losses, errors, ...others }: Partial<NewKey>) {
  return {
    ...others,
    labels: labels && Object.entries(labels).map(([name, value]) => ({ name, value })),
    losses: losses?.toUpperCase(),
    errors: errors?.toUpperCase(),
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  }
}

/** `dragoman keys update ID`. */
export async function update(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys update')
  const changes = { ...defined(inputOf(parseKeySettings(invocation))), ...clearedSettings(options) }
  if (Object.keys(changes).length === 0) {
    throw new UsageError('`keys update` changes nothing: name settings, or --clear some.')
  }
  const input = defined({ ...changes, id, reason: options['reason'] })
  const { key } = await useAdmin(invocation, change, (admin) => doAct(admin, acts.updateKey, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(key ? describeKey(key) : { id }))
  terminal.say(`The key "${id}" is changed. Running gateways have it within two seconds.`)
  return 0
}

/** `dragoman keys rotate ID`: prints the new secret to standard output only. */
export async function rotate(invocation: Invocation): Promise<number> {
  const id = requireKeyId(invocation, 'keys rotate')
  const { grace } = invocation.options
  const graceSeconds = grace === undefined ? undefined : parseGrace(grace) / 1_000
  const reason = graceSeconds
    ? invocation.options['reason']
    : reasonFor(invocation, 'keys rotate without --grace')
  const input = defined({ id, graceSeconds, reason })
  const { key, secret } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.rotateKey, input),
  )
  printIssued(key ? describeKey(key) : { id }, secret, invocation, 'rotated')
  return 0
}

/** `dragoman keys disable ID`. */
export async function disable(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys disable')
  const input = { id, reason: reasonFor(invocation, 'keys disable') }
  const local = { instead: 'set disabled: true for the key in the configuration' }
  const { key } = await useAdmin(invocation, local, (admin) => doAct(admin, acts.disableKey, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(key ? describeKey(key) : { id }))
  terminal.say(`The key "${id}" is disabled. Running gateways reject it within two seconds.`)
  return 0
}

/** `dragoman keys enable ID`. Does not override `disabled: true` in the configuration. */
export async function enable(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys enable')
  const input = defined({ id, reason: options['reason'] })
  const local = { instead: 'set disabled in the configuration' }
  const { key } = await useAdmin(invocation, local, (admin) => doAct(admin, acts.enableKey, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(key ? describeKey(key) : { id }))
  terminal.say(`The key "${id}" is enabled. Running gateways accept it within two seconds.`)
  return 0
}

/** `dragoman keys revoke ID`. */
export async function revoke(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys revoke')
  const input = { id, reason: reasonFor(invocation, 'keys revoke') }
  const { key } = await useAdmin(invocation, change, (admin) => doAct(admin, acts.revokeKey, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(key ? describeKey(key) : { id }))
  terminal.say(`The key "${id}" is revoked. Running gateways reject it within two seconds.`)
  return 0
}
