import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { useWhyNot } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Notice } from '../ui/Notice.tsx'
import { LimitDialog } from './LimitDialog.tsx'
import { LimitsTable } from './LimitsTable.tsx'
import { SetLimit } from './SetLimit.tsx'
import type { LimitView } from './words.ts'

/** The limits of a subject, or of all subjects, with their use and their acts. The open one is in the address, as `limit`. */
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
  /** Absent: the page has a button to set a limit. */
  readonly title?: string
  readonly isLoading: boolean
  readonly isWhole: boolean
  /** Content below the list. */
  readonly children?: ReactNode
  readonly onDone: () => void
}) {
  const { limit: openId } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [isNew, setIsNew] = useState(false)
  const whyNot = useWhyNot('setLimit')
  const open = limits?.find(({ id }) => id === openId)
  return (
    <Card
      isFlush
      title={title}
      aside={
        <Button isSmall whyNot={whyNot} onClick={() => setIsNew(true)}>
          Set a limit
        </Button>
      }
    >
      {openId !== undefined && !open && rest.isWhole && (
        <Notice>
          The limit <span className="mono">{openId}</span> is not in this list.
        </Notice>
      )}
      <LimitsTable
        {...rest}
        limits={limits}
        hasSubjects={subject === undefined}
        empty={
          <Empty title={isFiltered ? 'No such limit' : 'There is no limit'}>
            A limit bounds calls, tokens or cost of a key, a team, an account or the gateway.
          </Empty>
        }
      />
      {children}
      {isNew && (
        <SetLimit {...(subject && { subject })} onClose={() => setIsNew(false)} onDone={onDone} />
      )}
      {open && (
        <LimitDialog
          key={open.id}
          limit={open}
          onClose={() =>
            void navigate({
              to: '.',
              search: (former) => ({ ...former, limit: undefined }),
              resetScroll: false,
            })
          }
          onDone={onDone}
        />
      )}
    </Card>
  )
}
