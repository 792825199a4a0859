import { revokeKey } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import { useStore } from '../use-store.ts'
import { describeKey } from './describe.ts'
import { assertChangeable, readForKeys, requireKeyId } from './key-store.ts'

/** `dragoman keys revoke ID`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys revoke')
  const configuration = await readForKeys(invocation)
  assertChangeable(configuration, id)
  const key = await useStore(configuration, (store) => revokeKey(store, id))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeKey(key)))
  terminal.say(`The key "${id}" is revoked. Running gateways reject it within two seconds.`)
  return 0
}
