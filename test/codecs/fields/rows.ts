import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Name, names } from '../samples/index.ts'

/** What becomes of a field on accounts of another dialect. */
export type Fate =
  /** It arrives in this place, with the client's value or as another one. */
  | { readonly kind: 'carried'; readonly to: string; readonly value?: unknown }
  /** It arrives as another value, and the gateway names it as a loss. */
  | { readonly kind: 'changed'; readonly to: string; readonly value: unknown }
  /** It does not arrive, and the gateway names it as a loss. */
  | { readonly kind: 'lost' }
  /** The request is refused under every policy. */
  | { readonly kind: 'refused' }
  /** The gateway fetches the file behind the URL. */
  | { readonly kind: 'fetched' }
  /** It does not arrive and no client misses it, for the row's reason. */
  | { readonly kind: 'hint' }
  /** The gateway itself does what it asks for. */
  | { readonly kind: 'own' }

/** A decision about a field. */
export interface Row {
  readonly section: string
  /** Fields of one decision: the kinds of an object that no other dialect has. */
  readonly fields: readonly string[]
  /** Whether the row decides about everything inside the field, too. */
  readonly isWhole: boolean
  /** Whether the field is in no type of the SDK: from other providers, the contract or the reference. */
  readonly isBeyond: boolean
  readonly value: unknown
  readonly fates: Readonly<Partial<Record<Name, Fate>>>
  /** Why a hint is one, or what the gateway itself does. */
  readonly note: string
}

/** The accounts of other dialects, in the order of a table's columns. */
export function accountsFor(client: Name): readonly Name[] {
  const order: readonly Name[] = ['responses', 'chat', 'messages', 'generate']
  return order.filter((name) => name !== client)
}

/**
 * Reads the table of a client's dialect: lines of `field | value | fate | fate | fate | note` below
 * headings. `*` after a field covers everything inside it, `+` before it says that the SDK lacks it.
 */
export function readRows(client: Name): readonly Row[] {
  const text = readFileSync(join(import.meta.dirname, 'tables', `${client}.txt`), 'utf8')
  let section = ''
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) section = line.slice(3)
    return line.includes(' | ') ? [readRow(client, line, section)] : []
  })
}

function readRow(client: Name, line: string, section: string): Row {
  const [head = '', value = '', ...cells] = line.split(' | ').map((cell) => cell.trim())
  const accounts = accountsFor(client)
  const [, plus, listed = '', star] = /^(\+ )?(.*?)( \*)?$/.exec(head) ?? []
  const fates = accounts.map((account, index) => [account, readFate(cells[index] ?? '')] as const)
  return {
    section,
    fields: listed.split(', '),
    isWhole: star !== undefined,
    isBeyond: plus !== undefined,
    value: value === '' ? undefined : (JSON.parse(value) as unknown),
    fates: Object.fromEntries(fates),
    note: cells[accounts.length] ?? '',
  }
}

const words = {
  lost: 'lost',
  '400': 'refused',
  fetched: 'fetched',
  hint: 'hint',
  own: 'own',
} as const

function readFate(cell: string): Fate {
  const word = (Object.keys(words) as (keyof typeof words)[]).find((known) => known === cell)
  if (word) return { kind: words[word] }
  const [, mark, to = '', json] = /^(!)?-> (\S+)(?: = (.*))?$/.exec(cell) ?? []
  if (to === '') throw new Error(`No decision: ${JSON.stringify(cell)}`)
  const value = json === undefined ? undefined : (JSON.parse(json) as unknown)
  if (mark) return { kind: 'changed', to, value }
  return { kind: 'carried', to, ...(json !== undefined && { value }) }
}

/** The tables of all dialects. */
export function allRows(): Readonly<Record<Name, readonly Row[]>> {
  return Object.fromEntries(names.map((name) => [name, readRows(name)])) as Record<
    Name,
    readonly Row[]
  >
}
