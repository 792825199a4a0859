import { type Fate, type Row, accountsFor, allRows } from '../../codecs/fields/rows.ts'
import type { Name } from '../../codecs/samples/index.ts'

/** The page about the fields of requests, and the name of its tables. */
export const fieldsPage = 'docs/wire/fields.md'
export const fieldsRegion = 'fields'

const titles: Readonly<Record<Name, string>> = {
  responses: 'Responses',
  chat: 'Chat Completions',
  messages: 'Messages',
  generate: 'generateContent',
}

/** The tables of all clients' dialects, as the tests of `test/codecs/fields` hold them. */
export function renderFields(): string {
  const rows = allRows()
  return (Object.keys(titles) as Name[]).map((name) => renderClient(name, rows[name])).join('\n\n')
}

function renderClient(client: Name, rows: readonly Row[]): string {
  const sections = [...Map.groupBy(rows, ({ section }) => section)].map(
    ([section, of]) =>
      `### ${titles[client]}: ${section.toLowerCase()}\n\n${renderTable(client, of)}`,
  )
  return [`## Clients of ${titles[client]}`, ...sections].join('\n\n')
}

function renderTable(client: Name, rows: readonly Row[]): string {
  const accounts = accountsFor(client)
  const head = ['field', ...accounts.map((name) => `on ${titles[name]}`), 'reason']
  return [head, head.map(() => '---'), ...rows.map((row) => cellsOf(row, accounts))]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n')
}

function cellsOf(row: Row, accounts: readonly Name[]): readonly string[] {
  const fields = row.fields.map((field) => `\`${field}\``).join(', ')
  const fates = accounts.map((account) => fateOf(row.fates[account]!))
  return [`${fields}${row.isWhole ? ' …' : ''}${row.isBeyond ? ' +' : ''}`, ...fates, row.note]
}

function fateOf(fate: Fate): string {
  switch (fate.kind) {
    case 'carried':
      return `\`${fate.to}\`${fate.value === undefined ? '' : `: ${shown(fate.value)}`}`
    case 'changed':
      return `\`${fate.to}\`: ${shown(fate.value)}, **named**`
    case 'lost':
      return '**named**'
    case 'refused':
      return '400'
    case 'fetched':
      return 'fetched'
    case 'hint':
      return 'hint'
    case 'own':
      return 'gateway'
  }
}

/** The longest value that a table shows, in characters. */
const longest = 60

function shown(value: unknown): string {
  const json = JSON.stringify(value)
  return `\`${json.length > longest ? `${json.slice(0, longest)}…` : json}\``
}
