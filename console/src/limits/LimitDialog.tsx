import { useState } from 'react'

import { useWhyNot } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { Definition } from '../ui/Definition.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { managerText } from '../ui/managed.ts'
import { Countdown, Time } from '../ui/Time.tsx'
import { GrantExtra, RemoveLimit, ResetLimit } from './limit-acts.tsx'
import { Spent } from './LimitsTable.tsx'
import { type LimitActProps, SetLimit } from './SetLimit.tsx'
import { SubjectLink } from './SubjectLink.tsx'
import { amountText, limitName, limitTerms, subjectText } from './words.ts'

type Open = 'change' | 'grant' | 'reset' | 'remove'

/** All that is known of a limit, and what can be done about it. */
export function LimitDialog(props: LimitActProps) {
  const { limit, onClose } = props
  const [open, setOpen] = useState<Open>()
  const whyNot = useWhyNot('grantExtra')
  const whyNotChange = useWhyNot('setLimit')
  const isStored = limit.managedBy === 'STORE'
  if (open === 'change') return <SetLimit {...props} subject={limit.subject} />
  if (open === 'grant') return <GrantExtra {...props} />
  if (open === 'reset') return <ResetLimit {...props} />
  if (open === 'remove') return <RemoveLimit {...props} />
  const { extra, held, remaining, resetsAt, changedAt, changedBy } = limit
  const ofEach = limit.per ? 'each end user apart' : null
  return (
    <Dialog isOpen isWide onClose={onClose} title={`${limitName(limit)} of ${subjectText(limit)}`}>
      <Definition
        items={[
          ['Of', <SubjectLink key="subject" subject={limit.subject} />],
          ['Terms', limitTerms(limit) || 'all calls; those beyond it are refused'],
          ['Spent', ofEach ?? <Spent key="spent" limit={limit} />],
          ['Held by calls in flight', ofEach ?? amountOrNull(held)],
          ['Remaining', ofEach ?? amountOrNull(remaining)],
          ['Resets', resetsAt ? <In key="resets" at={resetsAt} /> : 'never'],
          !!limit.window && ['Time zone', limit.zone],
          !!extra && [
            'Granted besides',
            <>
              {amountText(limit, extra.amount)} until <Time at={extra.until} />
            </>,
          ],
          ['Alerts at', limit.alerts.map((part) => `${part * 100} %`).join(', ') || 'none'],
          ['Set by', isStored ? (changedBy ?? null) : managerText(limit.managedBy)],
          !!changedAt && ['Set at', <Time key="at" at={changedAt} />],
          ['Id', <code key="id">{limit.id}</code>],
        ]}
      />
      <div className="dialog-acts">
        <Button onClick={onClose}>Close</Button>
        {isStored && (
          <Button kind="danger" onClick={() => setOpen('remove')} whyNot={whyNotChange}>
            Remove
          </Button>
        )}
        <Button onClick={() => setOpen('reset')} whyNot={whyNot}>
          Reset
        </Button>
        <Button onClick={() => setOpen('grant')} whyNot={whyNot}>
          Grant extra
        </Button>
        {isStored && (
          <Button onClick={() => setOpen('change')} whyNot={whyNotChange}>
            Change
          </Button>
        )}
      </div>
    </Dialog>
  )

  function amountOrNull(amount: number | string | null | undefined): string | null {
    return amount === null || amount === undefined ? null : amountText(limit, amount)
  }
}

function In({ at }: { readonly at: string }) {
  return (
    <>
      in <Countdown until={at} />
    </>
  )
}
