import { visibleInLine } from '../lib/visible.ts'

/** Formats rows as lines with aligned columns, two spaces apart. No cell can begin another line. */
export function alignColumns(given: ReadonlyArray<readonly string[]>): string[] {
  const rows = given.map((row) => row.map((cell) => visibleInLine(cell)))
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
