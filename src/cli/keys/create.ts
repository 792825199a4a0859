import { actorOf } from '../../admin/principal.ts'
import { createKey } from '../../stores/keys.ts'
import { actOnStore, beforeActing, commandLine } from '../audit/act.ts'
import type { Invocation } from '../command.ts'
import { isRemote } from '../remote/address.ts'
import { showIssued } from './describe.ts'
import { assertChangeable, readForKeys } from './key-store.ts'
import { parseNewKey } from './parse.ts'

/** `dragoman keys create`: prints the secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).createKey(invocation)
  const key = parseNewKey(invocation)
  const configuration = await readForKeys(invocation)
  const { id, ...after } = key
  const { reason } = invocation.options
  const act = { action: 'key.create', target: { type: 'key', id }, after, reason }
  await beforeActing(configuration, act, () => assertChangeable(configuration, id))
  const issued = await actOnStore(configuration, act, (store) =>
    createKey(store, { ...key, createdBy: actorOf(commandLine().actor) }),
  )
  showIssued(issued, invocation, 'issued')
  return 0
}
