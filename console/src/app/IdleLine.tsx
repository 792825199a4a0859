import { useEffect, useState } from 'react'

import { hasNewActivity } from '../api/request.ts'
import { loadSession, useViewer } from '../api/session.ts'
import { remaining } from '../format/durations.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** How often the page says that its user is there, in milliseconds. */
const sayMs = 60_000

/** Counts the last minute of an idle session down. What its user does prolongs the session. */
export function IdleLine() {
  const { idleAt } = useViewer()
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    if (idleAt === null) return
    let saidAt = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const leftMs = idleAt - now
      setLeft(leftMs < 60_000 ? leftMs : undefined)
      // A request that follows no act asks only whether the session has ended.
      const isDue = hasNewActivity() ? now - saidAt > sayMs : leftMs <= 0 && now - saidAt > 5_000
      if (!isDue) return
      saidAt = now
      void loadSession()
    }, 1_000)
    return () => clearInterval(timer)
  }, [idleAt])
  if (left === undefined) return null
  return (
    <Notice
      tone="warn"
      act={
        <Button isSmall onClick={() => void loadSession()}>
          Stay
        </Button>
      }
    >
      This session ends in {remaining(left)}, since nobody uses it.
    </Notice>
  )
}
