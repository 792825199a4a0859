import { showStored } from '../../admin/tokens.ts'
import { revokeAdminToken } from '../../stores/admin-tokens.ts'
import { CommandError, type Invocation } from '../command.ts'
import { actOnStore, beforeActing } from '../audit/act.ts'
import { isRemote } from '../remote/address.ts'
import { assertTokenChangeable, readForTokens } from './change.ts'
import { describeToken, sayRevoked } from './describe.ts'
import { requireTokenId } from './parse.ts'

/** `dragoman admin-tokens revoke ID`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).revokeToken(invocation)
  const id = requireTokenId(invocation)
  const configuration = await readForTokens(invocation)
  const act = {
    action: 'admin-token.revoke',
    target: { type: 'admin-token', id },
    after: { revoked: true },
    reason: invocation.options['reason'],
  }
  await beforeActing(configuration, act, () => assertTokenChangeable(configuration, id))
  const token = await actOnStore(configuration, act, async (store) => {
    const result = await revokeAdminToken(store, id)
    if (result) return result
    throw new CommandError(`The admin token "${id}" does not exist.`)
  })
  sayRevoked(describeToken(showStored(token, Date.now())), invocation)
  return 0
}
