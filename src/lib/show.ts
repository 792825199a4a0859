/** A value as a message shows it: whole, where it is short. */
export function showValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text !== undefined && text.length <= 60 ? text : kindOf(value)
}

export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value === null) return 'null'
  if (value === '') return 'empty'
  return typeof value === 'object' ? 'an object' : `another ${typeof value}`
}
