/** How far the gateway's clock is ahead of the page's, in milliseconds. */
let ahead = 0

/** Learns the gateway's clock from an answer. Its header has whole seconds: less than two are no difference. */
export function noteClock(response: Response): void {
  const at = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(at)) return
  const difference = at + 500 - Date.now()
  ahead = Math.abs(difference) < 2_000 ? 0 : difference
}

/** Now, by the gateway's clock: the clock of a browser may be minutes off. */
export function gatewayNow(): number {
  return Date.now() + ahead
}
