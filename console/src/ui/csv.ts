import { saveFile } from './save.ts'

/**
 * Saves rows as a file of comma-separated values. A text that a sheet would take for a formula gets an
 * apostrophe before it; a semicolon separates cells in the sheets of some languages.
 */
export function saveCsv(
  name: string,
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const text = [head, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n')
  saveFile(`${name}.csv`, new Blob([`${text}\r\n`], { type: 'text/csv' }))
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
