import { alignColumns } from '../table.ts'
import type { TokenDescription } from './describe.ts'

/** The titles of `tokenRow`. */
export const tokenTitles = ['ID', 'STATE', 'ROLE', 'EXPIRES', 'CREATED', 'LAST USED', 'FROM']

/** A token as the cells of a line. */
export function tokenRow(token: TokenDescription): string[] {
  const { id, state, role = '', from, expires = 'never', created = '', lastUsed = '' } = token
  return [id, state, role, expires, created, lastUsed, from]
}

/** Formats tokens as the lines of a table. */
export function tokenTable(tokens: readonly TokenDescription[]): string[] {
  return alignColumns([tokenTitles, ...tokens.map(tokenRow)])
}
