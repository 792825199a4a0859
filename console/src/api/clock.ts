import { useEffect, useState } from 'react'

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

/**
 * The beginning of the present step of time, such as a minute, by the gateway's clock. A page that stays open goes on with
 * the steps, but not while it is hidden.
 */
export function useStep(stepMs: number): number {
  const begin = () => Math.floor(gatewayNow() / stepMs) * stepMs
  const [at, setAt] = useState(begin)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setAt(begin())
    }, 10_000)
    return () => clearInterval(timer)
  }, [stepMs])
  return at
}
