/** Lays cells out in columns: names and notes to the left, figures to the right. */
export function align(lines: string[][]): string {
  const widths = lines[0]!.map((_, column) =>
    Math.max(...lines.map((line) => line[column]!.length)),
  )
  const leftmost = 0
  const last = widths.length - 1
  const pad = (cell: string, column: number) =>
    column === leftmost || column === last
      ? cell.padEnd(widths[column]!)
      : cell.padStart(widths[column]!)
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n')
}
