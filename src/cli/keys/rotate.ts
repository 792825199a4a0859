import { rotateKey } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import { useStore } from '../use-store.ts'
import { showIssued } from './describe.ts'
import { assertChangeable, readForKeys, requiredId } from './key-store.ts'

/** `dragoman keys rotate ID`: the new secret goes to stdout, and nowhere else. */
export async function run(invocation: Invocation): Promise<number> {
  const id = requiredId(invocation, 'keys rotate')
  const configured = await readForKeys(invocation)
  assertChangeable(configured, id)
  showIssued(await useStore(configured, (store) => rotateKey(store, id)), invocation, 'rotated')
  return 0
}
