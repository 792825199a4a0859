import type { SettingSchema } from './json-schema.ts'

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

/** The type of a setting in a few words, as Markdown. */
export function showType(setting: SettingSchema): string {
  const { enum: values, const: value, anyOf, items, additionalProperties, type, unit } = setting
  if (values) return alternatives.format(values.map(code))
  if (value !== undefined) return code(value)
  if (anyOf) return showUnion(anyOf, unit)
  if (type === 'array') return `list${ofMany(items)}`
  if (typeof additionalProperties === 'object') return `map${ofMany(additionalProperties)}`
  return withUnit(type, unit)
}

function showUnion(options: readonly SettingSchema[], unit: string | undefined): string {
  const names = options.map((option) =>
    showType(option.type === 'integer' && unit ? { ...option, unit } : option),
  )
  return alternatives.format(new Set(names))
}

function ofMany(member: SettingSchema | undefined): string {
  return member?.type === undefined ? '' : ` of ${member.type}s`
}

function withUnit(type: string | undefined, unit: string | undefined): string {
  return unit === undefined ? String(type) : `${type} (${unit})`
}

/** The default of a setting, as Markdown. */
export function showDefault({ default: value, defaultText, unit }: SettingSchema): string {
  if (value === undefined || defaultText !== undefined) return defaultText ?? ''
  const plain = unit === undefined ? undefined : inLargerUnits(Number(value), unit)
  return plain === undefined ? code(value) : `${code(value)} (${plain})`
}

const scales: Readonly<Record<string, readonly (readonly [size: number, name: string])[]>> = {
  bytes: [
    [1024 ** 3, 'GiB'],
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
  ],
  milliseconds: [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ],
}

function inLargerUnits(value: number, unit: string): string | undefined {
  const scale = scales[unit]?.find(([size]) => value >= size && value % size === 0)
  return scale && `${value / scale[0]} ${scale[1]}`
}

/** A value in TypeScript syntax, as Markdown code. */
function code(value: unknown): string {
  return `\`${typescriptOf(value)}\``
}

function typescriptOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(typescriptOf).join(', ')}]`
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}
