import { type Invocation, UsageError } from './command.ts'
import { alignColumns } from './table.ts'

/** A part of a list. It may be empty although more follows. */
export interface ListPage<Node> {
  readonly nodes: readonly Node[]
  readonly isLast: boolean
}

/** The pages with other nodes. */
export async function* mapPages<From, To>(
  pages: AsyncIterable<ListPage<From>>,
  map: (node: From) => To,
): AsyncGenerator<ListPage<To>> {
  for await (const { nodes, isLast } of pages) yield { nodes: nodes.map(map), isLast }
}

/** How a list is shown. */
interface ListView<Node> {
  readonly titles: readonly string[]
  readonly row: (node: Node) => readonly string[]
  /** The message for an empty list. */
  readonly none: string
}

/** `--limit N`: the most entries. Default: all. Throws `UsageError`. */
export function limitOf({ options: { limit } }: Pick<Invocation, 'options'>): number {
  if (limit === undefined) return Infinity
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit)
  throw new UsageError(`--limit takes a whole number from 1, not "${limit}".`)
}

/**
 * Prints a list as a table, or as one list in JSON with `--json`: page by page, so that a long list needs
 * no memory. In JSON, a list that fails on the way has no end. Rejects with `OutputClosed`.
 */
export async function printList<Node>(
  { terminal, options }: Invocation,
  pages: AsyncIterable<ListPage<Node>>,
  { titles, row, none }: ListView<Node>,
): Promise<number> {
  const limit = limitOf({ options })
  const isJson = options['json'] !== undefined
  let printed = 0
  let widths: readonly string[] = []
  let isWhole = true
  for await (const { nodes, isLast } of pages) {
    const shown = nodes.slice(0, limit - printed)
    if (shown.length > 0) {
      const rows = isJson ? [] : shown.map(row)
      const text = isJson
        ? `${printed === 0 ? '[' : ',\n'}${shown.map((node) => JSON.stringify(node)).join(',\n')}`
        : `${tablePart(printed === 0 ? [titles, ...rows] : rows, widths)}\n`
      if (printed === 0) widths = widest([titles, ...rows])
      await terminal.print(text)
      printed += shown.length
    }
    isWhole = isLast && shown.length === nodes.length
    if (isWhole || printed >= limit) break
  }
  if (isJson) await terminal.print(printed === 0 ? '[]\n' : ']\n')
  else if (printed === 0 && isWhole) terminal.say(none)
  if (!isWhole) terminal.say(`There are more: --limit shows another number.`)
  return 0
}

/** The first page decides how wide the columns are at least. */
function tablePart(rows: ReadonlyArray<readonly string[]>, widths: readonly string[]): string {
  const padded = rows.map((row) =>
    row.map((cell, index) => cell.padEnd(widths[index]?.length ?? 0)),
  )
  return alignColumns(padded).join('\n')
}

/** The longest cell of each column. */
function widest(rows: ReadonlyArray<readonly string[]>): string[] {
  const cells: string[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (cell.length >= (cells[index]?.length ?? 0)) cells[index] = cell
    }
  }
  return cells
}
