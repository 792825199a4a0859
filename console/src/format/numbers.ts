const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** What stands in a cell whose value is not known: it is not 0. */
export const unknownCell = '–'

/** A count: `1,016`. */
export function count(value: number): string {
  return whole.format(value)
}

/** A count with its noun: `1 call`, `1,016 calls`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** A short figure for charts: `8.4k`, `1.2M`, `0.2`. */
export function compact(value: number): string {
  const size = Math.abs(value)
  for (const [unit, name] of [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (size >= unit * 0.9995) return `${digits(value / unit)}${name}`
  return digits(value)
}

/** Two significant digits below ten, whole above. */
function digits(value: number): string {
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size < 0.1) return value.toPrecision(1)
  return size < 9.95 ? String(Math.round(value * 10) / 10) : whole.format(value)
}

/** A share: `0.8 %`, `21 %`, `<0.1 %`. Undefined: there is nothing to have a share of. */
export function share(part: number, of: number): string | undefined {
  if (of === 0) return undefined
  const percent = (100 * part) / of
  if (percent === 0) return '0 %'
  if (percent < 0.1) return '<0.1 %'
  if (percent > 99.9 && percent < 100) return '>99.9 %'
  return `${percent < 9.95 ? Math.round(percent * 10) / 10 : Math.round(percent)} %`
}

/** A size: `512 B`, `1.4 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${whole.format(value)} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let size = value / 1_000
  let unit = 0
  for (; size >= 999.5 && unit < units.length - 1; unit += 1) size /= 1_000
  return `${size < 9.95 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`
}

/** Tokens in and out: `1 → 30`. */
export function tokens(input: number | null, output: number | null): string {
  if (input === null && output === null) return unknownCell
  return `${input === null ? unknownCell : count(input)} → ${output === null ? unknownCell : count(output)}`
}
