/** Objects in objects, so many levels of them. */
export function nested(levels: number, key = 'a', inner: unknown = true): Record<string, unknown> {
  let value = inner
  for (let level = 0; level < levels; level++) value = { [key]: value }
  return value as Record<string, unknown>
}

/** A schema of objects in objects. */
export function nestedSchema(levels: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: 'string' }
  for (let level = 0; level < levels; level++) {
    schema = { type: 'object', properties: { a: schema }, required: ['a'] }
  }
  return schema
}

/** The text of such objects, which no `JSON.stringify` could write. */
export const nestedText = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
