import { cases } from './cases/index.ts'
import type { Cell } from './cell.ts'
import { nameOf } from './cells.ts'
import { accountDialects, dialects, type DialectName, titles } from './dialects.ts'
import type { Outcome } from './outcome.ts'

/** The outcome of each cell, by its name. */
export type Observed = ReadonlyMap<string, Outcome>

/** The page that has the matrix, and the name of its generated part. */
export const matrixPage = 'docs/translation.md'

export const matrixRegion = 'matrix'

const legend = `The results of the newest official SDKs, as JSON and as a stream, if the account speaks only the dialect
of the column. ✓: client and account both get the intended content. ✓ but: the same, without the fields that
\`x-dragoman-losses\` names. 400: refused, with the name of the field. \`npm run matrix\` writes this table
from its observations.`

const head = ['client', 'case', ...accountDialects.map((account) => `on ${titles[account]}`)]

/** One table, in which a client's cases that come out alike share a row. */
export function renderMatrix(observed: Observed): string {
  const rows = [head, head.map(() => '---'), ...dialects.flatMap((one) => rowsOf(one, observed))]
  return `${legend}\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`
}

function rowsOf(client: DialectName, observed: Observed): string[][] {
  const alike = Map.groupBy(cases, (row) => {
    const shown = accountDialects.map((account) =>
      renderCell({ case: row, client, account }, observed),
    )
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
