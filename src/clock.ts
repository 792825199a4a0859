let lastSecond = -1
let prefix = ''

/** The time as ISO 8601. Formatting takes microseconds, so it is done once a second. */
export function isoNow(): string {
  const now = Date.now()
  const second = Math.floor(now / 1_000)
  if (second !== lastSecond) {
    lastSecond = second
    prefix = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length)
  }
  return `${prefix}${String(now - second * 1_000).padStart(3, '0')}Z`
}
