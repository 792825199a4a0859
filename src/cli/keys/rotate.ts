import { rotateKey } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import { useStore } from '../use-store.ts'
import { showIssued } from './describe.ts'
import { assertChangeable, readForKeys, requireKeyId } from './key-store.ts'

/** `dragoman keys rotate ID`: prints the new secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  const id = requireKeyId(invocation, 'keys rotate')
  const configuration = await readForKeys(invocation)
  assertChangeable(configuration, id)
  showIssued(await useStore(configuration, (store) => rotateKey(store, id)), invocation, 'rotated')
  return 0
}
