const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

type Unit = keyof typeof unitMs

/** The same window in its largest unit: `60s` is `1m`, `24h` is `1d`. */
export function canonicalWindow(window: string): string {
  const length = lengthOf(window)
  if (length === undefined) return window
  const unit = (['d', 'h', 'm', 's'] as const).find((one) => length % unitMs[one] === 0) ?? 's'
  return `${length / unitMs[unit]}${unit}`
}

/** The length of a window in milliseconds; `undefined`: a day, week or month of a calendar, or all time. */
export function lengthOf(window: string): number | undefined {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(window) ?? []
  return count === undefined ? undefined : Number(count) * unitMs[unit as Unit]
}

/** Whether a window is a day, week or month of a calendar. */
export function isCalendar(window: string): boolean {
  return window === 'day' || window === 'week' || window === 'month'
}

/** Whether this process knows a time zone. */
export function isZone(zone: string): boolean {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** A period of a budget. Times are milliseconds since 1970. */
export interface Period {
  /** Unique among the periods of its window: the counter of the budget has it in its name. */
  readonly name: string
  readonly startsAt: number
  /** The first moment of the next period; `undefined`: it never ends. */
  readonly endsAt: number | undefined
}

/** The period of a window that a time is in. Days, weeks (from Monday) and months begin by the clock of the zone. */
export function periodAt(window: string, zone: string, at: number): Period {
  if (window === 'total') return { name: 'total', startsAt: 0, endsAt: undefined }
  const length = lengthOf(window)
  if (length !== undefined) {
    const startsAt = Math.floor(at / length) * length
    return { name: new Date(startsAt).toISOString(), startsAt, endsAt: startsAt + length }
  }
  const today = dayAt(zone, at)
  const [first, next] =
    window === 'month' ? monthOf(today) : window === 'week' ? weekOf(today) : [today, today + 1]
  const date = dateOf(first)
  return {
    name: window === 'month' ? date.slice(0, 7) : date,
    startsAt: startOf(zone, first),
    endsAt: startOf(zone, next),
  }
}

const dayMs = unitMs.d

/** The days since 1970 of a calendar day, as of UTC. */
type Day = number

function dateOf(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** The day after the first of 1970 is a Friday. */
function weekOf(day: Day): [first: Day, next: Day] {
  const monday = day - ((day + 3) % 7)
  return [monday, monday + 7]
}

function monthOf(day: Day): [first: Day, next: Day] {
  const date = new Date(day * dayMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return [Date.UTC(year, month) / dayMs, Date.UTC(year, month + 1) / dayMs]
}

/** The calendar day of a time. */
function dayAt(zone: string, at: number): Day {
  return Math.floor((at + offsetAt(zone, at)) / dayMs)
}

/** The longest way of a zone from UTC is less than a day. */
const searchedMs = dayMs + unitMs.h * 3

/**
 * The first moment of a day in a zone. Where clocks are put forward at midnight, it is later than midnight; where they
 * are put back over it, it is the last moment at which the day begins.
 */
function startOf(zone: string, day: Day): number {
  let before = day * dayMs - searchedMs
  let from = day * dayMs + searchedMs
  // Periods begin at whole seconds.
  while (from - before > 1_000) {
    const middle = before + Math.floor((from - before) / 2_000) * 1_000
    if (dayAt(zone, middle) < day) before = middle
    else from = middle
  }
  return from
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  return format
}

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
function offsetAt(zone: string, at: number): number {
  if (zone === 'UTC') return 0
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, +value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local - Math.floor(at / 1_000) * 1_000
}
