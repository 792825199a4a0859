import { isBase64 } from '../lib/is-base64.ts'
import { isObject } from '../lib/json/object.ts'
import { parseOrUndefined } from '../lib/json/read.ts'

/**
 * Changes the texts of JSON, such as the arguments of a tool call, so that it stays JSON. A number is changed as the
 * text of its digits, and is a text then. Names of members and base64 of 128 characters or more stay. Text that is no
 * JSON is changed as a whole.
 */
export function mapJsonTexts(json: string, change: (text: string) => string): string {
  const value = parseOrUndefined(json)
  if (value === undefined) return change(json)
  const changed = mapValueTexts(value, change, (number) => {
    const text = String(number)
    const mapped = change(text)
    return mapped === text ? number : mapped
  })
  return changed === value ? json : JSON.stringify(changed)
}

/** Changes the texts within a value of JSON, apart from base64. Returns the same value if nothing in it changes. */
export function mapValueTexts(
  value: unknown,
  change: (text: string) => string,
  changeNumber: (number: number) => unknown,
): unknown {
  const map = (one: unknown) => mapValueTexts(one, change, changeNumber)
  if (typeof value === 'string') return isBase64(value) ? value : change(value)
  if (typeof value === 'number') return changeNumber(value)
  if (Array.isArray(value)) {
    const list = value.map(map)
    return list.some((one, index) => one !== value[index]) ? list : value
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const mapped = entries.map(([name, one]) => [name, map(one)] as const)
  const hasChanged = mapped.some(([, one], index) => one !== entries[index]![1])
  return hasChanged ? Object.fromEntries(mapped) : value
}
