import { rotateKey } from '../../stores/keys.ts'
import { actOnStore, beforeActing } from '../audit/act.ts'
import type { Invocation } from '../command.ts'
import { isRemote } from '../remote/address.ts'
import { showIssued } from './describe.ts'
import { assertChangeable, readForKeys, requireKeyId } from './key-store.ts'
import { parseGrace } from './parse.ts'

/** `dragoman keys rotate ID`: prints the new secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).rotateKey(invocation)
  const id = requireKeyId(invocation, 'keys rotate')
  const { grace, reason } = invocation.options
  const graceMs = grace === undefined ? 0 : parseGrace(grace)
  const configuration = await readForKeys(invocation)
  const after = { secret: 'changed', graceSeconds: graceMs / 1_000 }
  const act = { action: 'key.rotate', target: { type: 'key', id }, after, reason }
  await beforeActing(configuration, act, () => assertChangeable(configuration, id))
  const issued = await actOnStore(configuration, act, (store) => rotateKey(store, id, { graceMs }))
  showIssued(issued, invocation, 'rotated')
  return 0
}
