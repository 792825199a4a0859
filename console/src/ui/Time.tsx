import { useEffect, useState } from 'react'

import { gatewayNow } from '../api/clock.ts'
import { duration, remaining } from '../format/durations.ts'
import { type Moment, clock, utc } from '../format/time.ts'

/** A moment by the local clock; UTC with milliseconds under the pointer. */
export function Time({ at }: { readonly at: Moment }) {
  return (
    <time className="nowrap" dateTime={new Date(at).toISOString()} title={utc(at)}>
      {clock(at)}
    </time>
  )
}

/** The time until a moment: `58 s`. It ticks by itself, and renders nothing else again. */
export function Countdown({ until }: { readonly until: Moment }) {
  const at = typeof until === 'number' ? until : Date.parse(until)
  useTick(1_000)
  return (
    <time className="nowrap" dateTime={new Date(at).toISOString()} title={utc(at)}>
      {remaining(at - gatewayNow())}
    </time>
  )
}

/** An age that grows: `ageMs` at `arrivedAt`, by the clock of the page. */
export function Age({ ageMs, arrivedAt }: { readonly ageMs: number; readonly arrivedAt: number }) {
  useTick(250)
  return (
    <span className="nowrap">{duration(Math.max(0, ageMs + performance.now() - arrivedAt))}</span>
  )
}

/** Renders its component again at each tick; not while the page is hidden. */
function useTick(ms: number): void {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTick((tick) => tick + 1)
    }, ms)
    return () => clearInterval(timer)
  }, [ms])
}
