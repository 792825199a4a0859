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

/** A table for each client, of cases in rows and accounts in columns. */
export function renderMatrix(observed: Observed): string {
  return dialects.map((client) => renderClient(client, observed)).join('\n\n')
}

function renderClient(client: DialectName, observed: Observed): string {
  const rows = cases.map((row) => [
    row.name,
    ...dialects.map((account) => renderCell({ case: row, client, account }, observed)),
  ])
  const head = [`**${titles[client]}** client on`, ...dialects.map((account) => titles[account])]
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
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
