import type { Invocation } from '../command.ts'
import { programName, sameGateway } from '../hints.ts'
import { limitOf } from '../print-list.ts'
import { isRemote } from '../remote/address.ts'
import { readForTokens } from './change.ts'
import { type TokenDescription, allTokens } from './describe.ts'
import { tokenTable } from './table.ts'

/** `dragoman admin-tokens list`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).listTokens(invocation)
  const { terminal, options } = invocation
  const limit = limitOf(invocation)
  // In the order of a gateway's list.
  const tokens = (await allTokens(await readForTokens(invocation))).toSorted(byId).slice(0, limit)
  if (options['json'] !== undefined) terminal.out(JSON.stringify(tokens))
  else if (tokens.length > 0) terminal.out(tokenTable(tokens).join('\n'))
  else {
    const command = `${programName()} admin-tokens create${sameGateway(options)}`
    terminal.say(`No admin tokens exist. \`${command}\` creates one.`)
  }
  return 0
}

function byId(one: TokenDescription, other: TokenDescription): number {
  return one.id < other.id ? -1 : 1
}
