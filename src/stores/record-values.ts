/** Whether a value of a record is a time that a `Date` can hold, in milliseconds since 1970. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15
}

/** Whether a value of a record is a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Whether a value of a record counts the changes of the record, from 1, as GraphQL's `Int` can hold it. */
export function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2_147_483_647
}
