import { useEffect, useState } from 'react'

import { hasNewActivity, toldActivityAt } from '../api/request.ts'
import { loadSession, useViewer } from '../api/session.ts'
import { remaining } from '../format/durations.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** How often the page says that its user is there, in milliseconds. */
const sayMs = 60_000
/** So much before its end, the page counts down. */
const lastMs = 60_000

/** Counts the last minute of an idle session down. What its user does prolongs the session. */
export function IdleLine() {
  const { idleAt, learnedAt } = useViewer()
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    if (idleAt === null) return
    let askedAt = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const leftMs = idleAt - now
      const isProlonged = toldActivityAt() > learnedAt
      setLeft(leftMs < lastMs && !isProlonged ? leftMs : undefined)
      const isActive = hasNewActivity() && now - askedAt > sayMs
      const isUnsure = leftMs < lastMs && (isProlonged || leftMs <= 0) && now - askedAt > 3_000
      if (!isActive && !isUnsure) return
      askedAt = now
      void loadSession()
    }, 1_000)
    return () => clearInterval(timer)
  }, [idleAt, learnedAt])
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
