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
  const url = URL.createObjectURL(new Blob([`${text}\r\n`], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
