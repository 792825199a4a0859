import { type ReactNode, useState } from 'react'

import { useMay } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import { LimitDialog } from './LimitDialog.tsx'
import { LimitsTable } from './LimitsTable.tsx'
import { SetLimit } from './SetLimit.tsx'
import type { LimitView } from './words.ts'

/** The limits of a subject, or of all subjects, with their use and their acts. */
export function LimitsCard({
  limits,
  subject,
  isFiltered = false,
  title,
  children,
  onDone,
  ...rest
}: {
  readonly limits: readonly LimitView[] | undefined
  /** Absent: the limits are of several subjects. */
  readonly subject?: LimitView['subject']
  /** Whether the list is a part of the limits. */
  readonly isFiltered?: boolean
  readonly title?: string
  readonly isLoading: boolean
  readonly isWhole: boolean
  /** Content below the list. */
  readonly children?: ReactNode
  readonly onDone: () => void
}) {
  const [open, setOpen] = useState<LimitView | 'new'>()
  const mayChange = useMay('admin')
  const close = () => setOpen(undefined)
  return (
    <Card
      isFlush
      title={title}
      aside={
        <Button
          isSmall={title !== undefined}
          whyNot={mayChange ? undefined : 'The role admin may set limits.'}
          onClick={() => setOpen('new')}
        >
          Set a limit
        </Button>
      }
    >
      <LimitsTable
        {...rest}
        limits={limits}
        hasSubjects={subject === undefined}
        onOpen={setOpen}
        empty={
          <Empty title={isFiltered ? 'No such limit' : 'There is no limit'}>
            A limit bounds calls, tokens or cost of a key, a team, an account or the gateway.
          </Empty>
        }
      />
      {children}
      {open === 'new' && <SetLimit {...(subject && { subject })} onClose={close} onDone={onDone} />}
      {open !== undefined && open !== 'new' && (
        <LimitDialog limit={open} onClose={close} onDone={onDone} />
      )}
    </Card>
  )
}
