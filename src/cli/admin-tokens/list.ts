import type { Invocation } from '../command.ts'
import { programName, sameGateway } from '../hints.ts'
import { alignColumns } from '../table.ts'
import { readForTokens } from './change.ts'
import { type TokenDescription, allTokens } from './describe.ts'

/** `dragoman admin-tokens list`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const tokens = await allTokens(await readForTokens(invocation))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(tokens))
  else if (tokens.length > 0) terminal.out(tokenTable(tokens).join('\n'))
  else {
    const command = `${programName()} admin-tokens create${sameGateway(options)}`
    terminal.say(`No admin tokens exist. \`${command}\` creates one.`)
  }
  return 0
}

const titles = ['ID', 'STATE', 'ROLE', 'EXPIRES', 'CREATED', 'LAST USED', 'FROM']

/** Formats tokens as the lines of a table. */
export function tokenTable(tokens: readonly TokenDescription[]): string[] {
  const rows = tokens.map(({ id, state, role = '', from, ...times }) => {
    const { expires = 'never', created = '', lastUsed = '' } = times
    return [id, state, role, expires, created, lastUsed, from]
  })
  return alignColumns([titles, ...rows])
}
