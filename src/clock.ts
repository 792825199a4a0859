let lastMillis = 0
let lastText = ''

/** The time as ISO 8601. Formatting takes microseconds, so it is done once a millisecond. */
export function isoNow(): string {
  const millis = Date.now()
  if (millis !== lastMillis) {
    lastMillis = millis
    lastText = new Date(millis).toISOString()
  }
  return lastText
}
