import { type ReactNode, useEffect, useRef } from 'react'

import './beside.css'
import { Button } from './Button.tsx'

/** A list, and beside it the detail of one of its rows; on a narrow page the detail is over the whole of it. */
export function Beside({
  label,
  open,
  detail,
  onClose,
  children,
}: {
  /** What the detail is of: `Call`. */
  readonly label: string
  /** The id of the row that is open; undefined: none. */
  readonly open: string | undefined
  readonly detail: ReactNode
  readonly onClose: () => void
  /** The list. */
  readonly children: ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  const aside = useRef<HTMLElement>(null)
  useEffect(() => {
    const isAlone = list.current !== null && list.current.offsetParent === null
    // The link that opened it is hidden with the list.
    if (open === undefined || !isAlone) return
    aside.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [open])
  return (
    <div className={open === undefined ? undefined : 'beside'}>
      <div className="beside-list" ref={list}>
        {children}
      </div>
      {open !== undefined && (
        <aside className="beside-detail" aria-label={label} ref={aside} tabIndex={-1}>
          <Button
            kind="quiet"
            className="beside-close"
            aria-label={`Close the ${label.toLowerCase()}`}
            data-escape
            onClick={onClose}
          >
            ✕
          </Button>
          {detail}
        </aside>
      )}
    </div>
  )
}
