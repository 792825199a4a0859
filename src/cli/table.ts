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

/** Times for a description, in ISO 8601, without those that are not known. Numbers are milliseconds since 1970. */
export function isoTimes<Name extends string>(
  times: Readonly<Record<Name, number | string | null | undefined>>,
): Partial<Record<Name, string>> {
  const known = Object.entries<number | string | null | undefined>(times).flatMap(([name, time]) =>
    time === null || time === undefined ? [] : [[name, new Date(time).toISOString()]],
  )
  return Object.fromEntries(known) as Partial<Record<Name, string>>
}
