import { cases } from './cases/index.ts'
import type { Cell } from './cell.ts'
import { nameOf } from './cells.ts'
import { dialects, type DialectName, titles } from './dialects.ts'
import type { Outcome } from './outcome.ts'

/** What became of each cell, by its name. */
export type Observed = ReadonlyMap<string, Outcome>

const begin = '<!-- matrix:begin -->'
const end = '<!-- matrix:end -->'

/** The part of a text between the markers, without them. */
export function shownIn(readme: string): string {
  return readme.slice(readme.indexOf(begin) + begin.length, readme.indexOf(end)).trim()
}

/** A text with another matrix between its markers. */
export function showIn(readme: string, matrix: string): string {
  const [before, after] = [readme.indexOf(begin), readme.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`There is no ${begin} with an ${end} after it.`)
  return `${readme.slice(0, before + begin.length)}\n${matrix}\n${readme.slice(after)}`
}

const legend = `What the newest official SDKs see, as JSON and as a stream, where an account speaks only the dialect
of the column. ✓: the client hears and the account receives what is meant. ✓ but: the same, apart from
the fields that \`x-dragoman-losses\` names. 400: refused, by the name of the field.
\`npm run matrix\` writes this table from what it observes.`

const head = ['client', 'what it does', ...dialects.map((account) => `on ${titles[account]}`)]

/** One table, in which a client's cases that come out alike share a row. */
export function renderMatrix(observed: Observed): string {
  const rows = [head, head.map(() => '---'), ...dialects.flatMap((one) => rowsOf(one, observed))]
  return `${legend}\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`
}

function rowsOf(client: DialectName, observed: Observed): string[][] {
  const alike = Map.groupBy(cases, (row) => {
    const shown = dialects.map((account) => renderCell({ case: row, client, account }, observed))
    return shown.join(' | ')
  })
  return [...alike].map(([shown, group], index) => {
    const what = group.map(({ name }) => name).join(', ')
    return [index === 0 ? `**${titles[client]}**` : '', what, shown]
  })
}

function renderCell(cell: Omit<Cell, 'stream'>, observed: Observed): string {
  const [json, stream] = [false, true].map((stream) => {
    const outcome = observed.get(nameOf({ ...cell, stream }))
    if (!outcome) throw new Error(`${nameOf({ ...cell, stream })} was not observed.`)
    return inWords(outcome)
  })
  return json === stream ? String(json) : `JSON: ${json}; stream: ${stream}`
}

function inWords(outcome: Outcome): string {
  if (outcome === 'served') return '✓'
  const [, mark, fields = ''] = /^(served without|400) (.*)$/.exec(outcome) ?? []
  const named = fields.split(', ').map((field) => `\`${field}\``)
  return mark === '400' ? `400 ${named.join(', ')}` : `✓ but ${named.join(', ')}`
}
