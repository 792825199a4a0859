/** A moment: an ISO text as the API has it, or milliseconds since 1970. */
export type Moment = string | number

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayAndYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

/** The local clock of 24 hours: `20:49:52`, with the date if it is not today, with the year if it is another. */
export function clock(at: Moment, now: number = Date.now()): string {
  const date = new Date(at)
  const today = new Date(now)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  if (date.toDateString() === today.toDateString()) return time
  return `${dateOf(date, today)} ${time}`
}

/** The local date: `29 Nov`, with the year if it is not this. */
export function dateText(at: Moment, now: number = Date.now()): string {
  return dateOf(new Date(at), new Date(now))
}

/** UTC with milliseconds: `2026-11-29 20:49:52.123 UTC`. */
export function utc(at: Moment): string {
  return `${new Date(at).toISOString().replace('T', ' ').slice(0, -1)} UTC`
}

/** What a field of the kind `datetime-local` has for a moment: the local date and clock. */
export function localText(at: Moment): string {
  const date = new Date(at)
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-')
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${day}T${time}`
}

/** The moment that such a text names, as the API writes times; undefined: the text names no moment. */
export function momentOf(text: string): string | undefined {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** Whether something, such as a search parameter, is a moment as a text. */
export function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

function dateOf(date: Date, today: Date): string {
  return (date.getFullYear() === today.getFullYear() ? day : dayAndYear).format(date)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
