import { takenId } from '../../admin/tokens.ts'
import { type IssuedAdminToken, createAdminToken } from '../../stores/admin-tokens.ts'
import { CommandError, type Invocation } from '../command.ts'
import { actOnStore, beforeActing } from '../audit/act.ts'
import { isRemote } from '../remote/address.ts'
import { assertTokenChangeable, readForTokens } from './change.ts'
import { showIssuedToken } from './describe.ts'
import { parseNewToken } from './parse.ts'

/** `dragoman admin-tokens create`: prints the secret to standard output only. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).createToken(invocation)
  const token = { ...parseNewToken(invocation), createdBy: 'process:command-line' }
  const { id } = token
  const configuration = await readForTokens(invocation)
  const act = { ...tokenCreation(id), reason: invocation.options['reason'] }
  await beforeActing(configuration, act, () => assertTokenChangeable(configuration, id))
  const issued = await actOnStore(configuration, act, async (store) => {
    const result = await createAdminToken(store, token)
    if (result) return result
    throw new CommandError(await takenId(store, id, Date.now()))
  })
  showIssuedToken(issued, invocation)
  return 0
}

/** The creation of a token, for its audit record. */
export function tokenCreation(id: string) {
  return {
    action: 'admin-token.create',
    target: { type: 'admin-token', id },
    after: ({ token: { role, expiresAt } }: IssuedAdminToken) => ({
      role,
      expiresAt: new Date(expiresAt).toISOString(),
    }),
  }
}
