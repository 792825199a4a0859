import { showStored } from '../../admin/tokens.ts'
import { revokeAdminToken } from '../../stores/admin-tokens.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { programName } from '../hints.ts'
import { parseKeyId } from '../keys/key-store.ts'
import { actOnStore } from '../audit/act.ts'
import { assertTokenChangeable, readForTokens } from './change.ts'
import { describeToken } from './describe.ts'

/** `dragoman admin-tokens revoke ID`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireTokenId(invocation)
  const configuration = await readForTokens(invocation)
  assertTokenChangeable(configuration, id)
  const act = {
    action: 'admin-token.revoke',
    target: { type: 'admin-token', id },
    after: { revoked: true },
  }
  const token = await actOnStore(configuration, act, async (store) => {
    const result = await revokeAdminToken(store, id)
    if (result) return result
    throw new CommandError(`The admin token "${id}" does not exist.`)
  })
  const description = describeToken(showStored(token, Date.now()))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(description))
  terminal.say(`The admin token "${id}" is revoked. Running gateways reject it within two seconds.`)
  return 0
}

function requireTokenId(invocation: Invocation): string {
  const id = parseKeyId(invocation)
  if (id !== undefined) return id
  const program = programName()
  throw new UsageError(
    `Which token? \`${program} admin-tokens revoke ID\`; \`${program} admin-tokens list\` shows them.`,
  )
}
