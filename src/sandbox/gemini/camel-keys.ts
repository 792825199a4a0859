import { isObject } from '../json.ts'

// Members with user data, whose keys are not the API's.
const userData = [
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'labels',
]

/** Converts the keys of a body to camelCase, outside of user data. Google accepts snake_case too. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([written, member]) => {
    const key = written.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [key, userData.includes(key) ? member : camelKeys(member)] as const
  })
  return Object.fromEntries(entries)
}
