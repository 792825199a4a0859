import { isObject } from '../json.ts'

// What the user put there is the user's: its keys are not the API's.
const opaque = [
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'labels',
]

/** The body with all keys in camelCase. Google takes snake_case too, outside of user data. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([written, member]) => {
    const key = written.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [key, opaque.includes(key) ? member : camelKeys(member)] as const
  })
  return Object.fromEntries(entries)
}
