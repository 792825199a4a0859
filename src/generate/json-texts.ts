import { isUtf8 } from 'node:buffer'

import { isObject, type JsonObject } from '../lib/json/object.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { type Change, type ChangeParts, kindOfText, textsOfRuns } from './text-runs.ts'

/**
 * Changes the texts of JSON, such as the arguments of a tool call, so that it stays JSON. A number is changed as the
 * text of its digits, and is a text then. Names of members and base64 of 128 characters or more stay. Text that is no
 * JSON is changed as a whole.
 */
export function mapJsonTexts(json: string, change: Change): string {
  const value = parseOrUndefined(json)
  if (value === undefined) return change(json)
  const mapped = mapValueTexts(value, change, (number) => {
    const text = String(number)
    const left = change(text)
    return left === text ? number : left
  })
  return mapped === value ? json : JSON.stringify(mapped)
}

/**
 * Changes the texts within a value of JSON, apart from base64. Returns the same value if nothing in it changes.
 * `changeParts` changes the texts of neighbours in a list that are alike. Absent: each is changed alone.
 */
export function mapValueTexts(
  value: unknown,
  change: Change,
  changeNumber: (number: number) => unknown,
  changeParts?: ChangeParts,
): unknown {
  const map = (one: unknown) => mapValueTexts(one, change, changeNumber, changeParts)
  if (typeof value === 'string') return isBase64(value) ? value : change(value)
  if (typeof value === 'number') return changeNumber(value)
  if (Array.isArray(value)) {
    const texts = changeParts && textsOfRuns(value, kindOfText, changeParts)
    const list = value.map((one, index) => {
      const text = texts?.get(index)
      return text === undefined ? map(one) : mapMembers(one as JsonObject, map, text)
    })
    return list.some((one, index) => one !== value[index]) ? list : value
  }
  return isObject(value) ? mapMembers(value, map) : value
}

/** `text` is the new value of the member of this name. Absent: that is mapped as the others. */
function mapMembers(value: JsonObject, map: (one: unknown) => unknown, text?: string): JsonObject {
  const mapped: [string, unknown][] = []
  for (const [name, one] of Object.entries(value)) {
    mapped.push([name, name === 'text' && text !== undefined ? text : map(one)])
  }
  return mapped.some(([name, one]) => one !== value[name]) ? Object.fromEntries(mapped) : value
}

/** In characters. Shorter texts of the same letters may be words. */
const shortestData = 128

const data = /^(?:data:[^,\s]{0,128};base64,)?(?:[a-z\d+/]*|[a-z\d_-]*)={0,2}$/i

/** The number of bytes that are inspected. */
const sample = 768

/**
 * Whether a text is base64 of some length, of bytes that are no text: media, or a signature. Words of the same letters
 * are not: they have not the length, one alphabet, digits and letters of both cases.
 */
function isBase64(text: string): boolean {
  if (text.length < shortestData || !data.test(text)) return false
  const content = text.slice(text.indexOf(',') + 1)
  if (content.length % 4 !== 0) return false
  const start = content.slice(0, (sample / 3) * 4)
  if (![/[a-z]/, /[A-Z]/, /\d/].every((letters) => letters.test(start))) return false
  return !isText(Buffer.from(start, 'base64'))
}

function isText(bytes: Buffer): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  return isUtf8(bytes) && !/[\0-\x08\x0e-\x1f]/.test(bytes.toString())
}
