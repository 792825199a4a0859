import { useEffect, useState } from 'react'

import { gatewayNow } from '../api/clock.ts'

/** A stretch of time of the API: from a moment, to behind the last. */
export interface Range {
  readonly from: string
  readonly to: string
}

const dayMs = 86_400_000

/** The last 30 days and the whole of today, by days of UTC. A page that stays open goes on with the days. */
export function useMonth(): Range {
  const today = () => Math.floor(gatewayNow() / dayMs)
  const [day, setDay] = useState(today)
  useEffect(() => {
    const timer = setInterval(() => setDay(today()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return rangeOf((day - 30) * dayMs, (day + 1) * dayMs)
}

/** A range of two moments in milliseconds since 1970. */
export function rangeOf(from: number, to: number): Range {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
