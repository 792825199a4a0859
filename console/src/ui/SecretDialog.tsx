import type { ReactNode } from 'react'

import { Button } from './Button.tsx'
import { CopyId } from './CopyId.tsx'
import { Dialog } from './Dialog.tsx'

/** A secret, which is shown once: only its button closes the dialog. */
export function SecretDialog({
  title,
  secret,
  children,
  onClose,
}: {
  readonly title: string
  readonly secret: string
  /** How it is used. */
  readonly children?: ReactNode
  readonly onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      isFirm
      isWide={children !== undefined}
      title={title}
      description="It is not shown again. The gateway keeps only its hash."
      onClose={onClose}
    >
      <CopyId id={secret} label="Copy the secret" />
      {children}
      <div className="dialog-acts">
        <Button kind="main" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  )
}
