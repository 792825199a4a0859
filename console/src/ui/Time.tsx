import { type ReactNode, use, useEffect, useState } from 'react'

import { gatewayNow } from '../api/clock.ts'
import { duration, remaining } from '../format/durations.ts'
import { type Moment, clock, utc } from '../format/time.ts'
import { RowContext } from './TableRow.tsx'

/** A moment by the local clock. UTC with milliseconds is under the pointer and the focus; a click copies it as ISO. */
export function Time({ at }: { readonly at: Moment }) {
  return <Stamp at={at}>{clock(at)}</Stamp>
}

/** The time until a moment: `58 s`. It ticks by itself, and renders nothing else again. */
export function Countdown({ until }: { readonly until: Moment }) {
  const at = typeof until === 'number' ? until : Date.parse(until)
  useTick(1_000)
  return <Stamp at={at}>{remaining(at - gatewayNow())}</Stamp>
}

/** When something that keeps calls out is tried again. For a call that has ended, the time may have passed already. */
export function TriedAgain({ until }: { readonly until: Moment }) {
  useTick(1_000)
  const at = typeof until === 'number' ? until : Date.parse(until)
  return (
    <span className="nowrap">
      {at > gatewayNow() ? (
        <>
          Tried again in <Countdown until={until} />.
        </>
      ) : (
        <>
          It was to be tried again at <Time at={until} />.
        </>
      )}
    </span>
  )
}

/** `TimeTip` of the shell shows what it has for the focus, and copies. */
function Stamp({ at, children }: { readonly at: Moment; readonly children: ReactNode }) {
  const isInRow = use(RowContext)
  return (
    <button
      type="button"
      className="time"
      title={utc(at)}
      aria-description={utc(at)}
      {...(isInRow && { tabIndex: -1 })}
    >
      <time dateTime={new Date(at).toISOString()}>{children}</time>
    </button>
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
