import { isBase64 } from '../lib/is-base64.ts'
import { isObject } from '../lib/json/object.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { type MaybeWork, type Work, run, isStepDue, resultOf } from '../lib/turns.ts'

type Change = (text: string) => MaybeWork<string>

/**
 * Changes the texts of JSON, such as the arguments of a tool call, so that it stays JSON. A number is changed as the
 * text of its digits, and is a text then. Names of members and base64 of 128 characters or more stay. Text that is no
 * JSON is changed as a whole.
 */
export function mapJsonTexts(json: string, change: (text: string) => string): string {
  return run(mapJsonTextsInSteps(json, change))
}

/** The same in steps, of which some may be those of a change. */
export function* mapJsonTextsInSteps(json: string, change: Change): Work<string> {
  const value = parseOrUndefined(json)
  if (value === undefined) return yield* resultOf(change(json))
  const mapped = yield* mapValueTexts(value, change, (number) => {
    const text = String(number)
    const left = run(resultOf(change(text)))
    return left === text ? number : left
  })
  return mapped === value ? json : JSON.stringify(mapped)
}

/** Changes the texts within a value of JSON, apart from base64. Returns the same value if nothing in it changes. */
export function* mapValueTexts(
  value: unknown,
  change: Change,
  changeNumber: (number: number) => unknown,
): Work<unknown> {
  if (isStepDue(typeof value === 'string' ? value.length : 0)) yield
  if (typeof value === 'string') return isBase64(value) ? value : yield* resultOf(change(value))
  if (typeof value === 'number') return changeNumber(value)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const one of value) list.push(yield* mapValueTexts(one, change, changeNumber))
    return list.some((one, index) => one !== value[index]) ? list : value
  }
  if (!isObject(value)) return value
  const mapped: [string, unknown][] = []
  for (const [name, one] of Object.entries(value)) {
    mapped.push([name, yield* mapValueTexts(one, change, changeNumber)])
  }
  return mapped.some(([name, one]) => one !== value[name]) ? Object.fromEntries(mapped) : value
}
