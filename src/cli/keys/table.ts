import { alignColumns } from '../table.ts'
import type { KeyDescription } from './describe.ts'

/** A key and its origin. */
export type ListedKey = KeyDescription & { from: 'store' | 'configuration' }

/** The columns of a table of keys. */
export const keyTitles = [
  'ID',
  'STATE',
  'MODELS',
  'EXPIRES',
  'CREATED',
  'FROM',
  'LOSSES',
  'EXPLAIN',
  'GRACE UNTIL',
]

/** Formats keys as the lines of a table. */
export function keyTable(keys: readonly ListedKey[]): string[] {
  return alignColumns([keyTitles, ...keys.map((key) => keyRow(key))])
}

/** The row of a key. */
export function keyRow(key: ListedKey): string[] {
  const { id, state, models, explain, losses = '', expires = 'never', created = '', from } = key
  const { graceUntil = '' } = key
  return [
    id,
    state,
    models?.join(',') ?? 'all',
    expires,
    created,
    from,
    losses,
    explain ? 'yes' : '',
    graceUntil,
  ]
}
