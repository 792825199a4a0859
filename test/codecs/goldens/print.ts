/** The greatest width of a line, where JSON can be broken. */
const width = 120

/** JSON that is broken where a line is full; further lines are indented, by so much at least. */
export function print(value: unknown, indent: number): string {
  const whole = JSON.stringify(value)
  if (indent + whole.length <= width || typeof value !== 'object' || value === null) return whole
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => print(one, indent + 1))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}:${print(one, indent + 2)}`,
      )
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const fits =
      last !== undefined &&
      !`${last}${part}`.includes('\n') &&
      indent + last.length + part.length + 3 <= width
    if (fits) lines[lines.length - 1] = `${last},${part}`
    else lines.push(part)
  }
  const [open, close] = isList ? '[]' : '{}'
  return `${open}${lines.join(`,\n${' '.repeat(indent + 1)}`)}${close}`
}
