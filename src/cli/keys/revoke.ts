import { revokeKey } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import { actOnStore, beforeActing } from '../audit/act.ts'
import { isRemote } from '../remote/address.ts'
import { describeKey } from './describe.ts'
import { assertChangeable, readForKeys, requireKeyId } from './key-store.ts'

/** `dragoman keys revoke ID`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).revokeKey(invocation)
  const { terminal, options } = invocation
  const id = requireKeyId(invocation, 'keys revoke')
  const configuration = await readForKeys(invocation)
  const after = { revoked: true }
  const { reason } = options
  const act = { action: 'key.revoke', target: { type: 'key', id }, after, reason }
  await beforeActing(configuration, act, () => assertChangeable(configuration, id))
  const key = await actOnStore(configuration, act, (store) => revokeKey(store, id))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeKey(key)))
  terminal.say(`The key "${id}" is revoked. Running gateways reject it within two seconds.`)
  return 0
}
