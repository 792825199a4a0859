import { useState } from 'react'

import { act } from '../../api/acts.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { ActDialog } from '../../ui/ActDialog.tsx'
import { ActTitle } from '../../ui/ActTitle.tsx'
import '../../calls/call.css'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyId } from '../../ui/CopyId.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { optionalText } from '../../ui/form.ts'
import { AccountLink, KeyLink } from '../../ui/links.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { State } from '../../ui/State.tsx'
import { Time } from '../../ui/Time.tsx'
import { type Job, jobLook } from './looks.ts'
import { CancelJob, ForgetJob, OneJob, RefreshJob } from './operations.generated.ts'

/** One job, and its acts. */
export function JobDetail({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const page = useAnswer(OneJob, { id }, { every: 5_000 })
  const [open, setOpen] = useState<'refresh' | 'cancel' | 'forget'>()
  const whyNot = useWhyNot('refreshJob')
  const job = page.data?.job
  const done = () => {
    page.refresh()
    onDone()
  }
  return (
    <div className="call">
      <h2 className="call-model mono">{id}</h2>
      <AnswerNotices page={page} names={{ job: 'the job' }} />
      {page.isLoading && <Bars lines={5} />}
      {job === null && isWhole(page, 'job') && (
        <Empty title="There is no such job">
          It has expired or was forgotten, or it is a response that has ended.
        </Empty>
      )}
      {job && <Facts job={job} />}
      {job && (
        <div className="row">
          <Button isSmall whyNot={whyNot} onClick={() => setOpen('refresh')}>
            Ask the account
          </Button>
          {mayCancel(job) && (
            <Button isSmall kind="danger" whyNot={whyNot} onClick={() => setOpen('cancel')}>
              Cancel
            </Button>
          )}
          {job.kind !== 'RESPONSE' && (
            <Button isSmall kind="danger" whyNot={whyNot} onClick={() => setOpen('forget')}>
              Forget
            </Button>
          )}
        </div>
      )}
      {job && open === 'refresh' && (
        <ActDialog
          title={<ActTitle verb="Ask for" id={id} />}
          verb="Ask"
          isOfRecord={false}
          effect={`${job.accountId} is asked for its state, as a poll of its client does.`}
          run={(_, reason) =>
            act(RefreshJob, { input: { id, keyId: job.keyId, ...optionalText('reason', reason) } })
          }
          done={({ stale }) => ({
            text: stale
              ? 'The account did not answer: the state is the stored one.'
              : 'The state is of now.',
          })}
          onDone={done}
          onClose={() => setOpen(undefined)}
        />
      )}
      {job && open === 'cancel' && (
        <ActDialog
          title={<ActTitle verb="Cancel" id={id} />}
          verb="Cancel it"
          isDangerous
          reason="required"
          effect="Its account stops the work. What it has done is paid for."
          run={(_, reason = '') => act(CancelJob, { input: { id, keyId: job.keyId, reason } })}
          done={() => ({ text: `${job.accountId} cancels ${id}.`, target: id })}
          onDone={done}
          onClose={() => setOpen(undefined)}
        />
      )}
      {job && open === 'forget' && (
        <ActDialog
          title={<ActTitle verb="Forget" id={id} />}
          verb="Forget"
          isOfRecord={false}
          isDangerous
          reason="required"
          effect="From now on its id is unknown to its client. The account keeps what it has."
          run={(_, reason = '') => act(ForgetJob, { input: { id, keyId: job.keyId, reason } })}
          done={() => ({ text: `The job ${id} is forgotten.`, target: id })}
          onDone={done}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

/** Videos cannot be cancelled. */
function mayCancel({ kind, state }: Job): boolean {
  return kind !== 'VIDEO' && (state === 'QUEUED' || state === 'IN_PROGRESS')
}

function Facts({ job }: { readonly job: Job }) {
  const { state, progress, counts, model, dialect, accountId, keyId, upstreamId, error } = job
  return (
    <Definition
      items={[
        [
          'State',
          <State key="state" look={jobLook(state)}>
            {state === 'IN_PROGRESS' ? `${progress} %` : undefined}
          </State>,
        ],
        !!counts && [
          'Requests',
          `${counts.total}: ${counts.completed} completed, ${counts.failed} failed`,
        ],
        !!error && ['Error', `${error.code}: ${error.message}`],
        model !== '' && ['Model', <code key="model">{model}</code>],
        [
          'Account',
          <span key="account">
            <AccountLink id={accountId} isGone={!job.account} />{' '}
            <span className="muted">in {dialect}</span>
          </span>,
        ],
        ['Key', <KeyLink key="key" id={keyId} />],
        ['Id at the account', <CopyId key="upstream" id={upstreamId} />],
        ['Begun', <Time key="created" at={job.createdAt} />],
        !!job.completedAt && ['Completed', <Time key="completed" at={job.completedAt} />],
        !!job.expiresAt && ['Expires', <Time key="expires" at={job.expiresAt} />],
      ]}
    />
  )
}
