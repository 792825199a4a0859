import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'

import './dialog.css'

/** Properties of `Dialog`. */
export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  /** What happens, below the title. */
  readonly description?: ReactNode
  /** Whether only its buttons close it: what it shows is shown once. */
  readonly isFirm?: boolean
  readonly isWide?: boolean
  /** Where the focus begins; by default at the first control. */
  readonly focus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** A dialog over the page. The focus returns to what has opened it. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  isFirm = false,
  isWide = false,
  focus,
  children,
}: DialogProps) {
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal={isFirm}
      onOpenChange={(open, { reason, cancel }) => {
        if (open) return
        if (isFirm && reason === 'escape-key') return cancel()
        onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-shade" />
        <Base.Popup
          className={isWide ? 'dialog dialog-wide' : 'dialog'}
          {...(focus && { initialFocus: focus })}
        >
          <Base.Title className="dialog-title">{title}</Base.Title>
          {description !== undefined && (
            <Base.Description className="dialog-words" render={<div />}>
              {description}
            </Base.Description>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
