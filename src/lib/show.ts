/** Formats a value for a message: as JSON if it is short, else as the name of its type. */
export function showValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text !== undefined && text.length <= 60 ? text : kindOf(value)
}

/**
 * The type of a value for a message, without its content. `wanted`: a value of the type that belongs there, if that
 * is known.
 */
export function kindOf(value: unknown, wanted = value): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value === null) return 'null'
  if (value === '') return 'empty'
  if (typeof value === 'object') return 'an object'
  return `${typeof value === typeof wanted ? 'another' : 'a'} ${typeof value}`
}
