import { deepest, isTooDeep } from './depth.ts'

/** The JSON object that a text is; `undefined` where it is none, or one that is nested too deeply. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return undefined
    return text.length > deepest && isTooDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
