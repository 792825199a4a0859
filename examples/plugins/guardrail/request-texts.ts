import type { RequestBody } from 'dragoman'

/** All texts of a request in any dialect: the strings and names of its JSON, or the fields of a form. */
export function* textsOf({ json, form }: RequestBody): Generator<string> {
  for (const { name, filename } of form?.parts ?? []) {
    const text = filename === undefined ? form?.text(name) : undefined
    if (text !== undefined) yield text
  }
  // A list in place of recursion: clients decide how deep their JSON is.
  const waiting: unknown[] = [json]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') yield value
    else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) yield* Object.keys(value)
      for (const member of Object.values(value)) waiting.push(member)
    }
  }
}
