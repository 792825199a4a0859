import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { act } from '../api/acts.ts'
import { useAnswer } from '../api/query.ts'
import { useWhyNot } from '../api/session.ts'
import { unknownCell } from '../format/numbers.ts'
import { ActDialog } from '../ui/ActDialog.tsx'
import { Bars } from '../ui/Bars.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyId } from '../ui/CopyId.tsx'
import { Empty } from '../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../ui/Notice.tsx'
import { Pill } from '../ui/State.tsx'
import { type CallFacts, type EndedCall, type LiveCall, sentenceOf } from './call.ts'
import './call.css'
import { FailedAttempts } from './FailedAttempts.tsx'
import { LedgerPart } from './LedgerPart.tsx'
import { callLook } from './looks.ts'
import { ExcludedList, LossList } from './lists.tsx'
import { Call, CancelCall } from './operations.generated.ts'
import { RoutePart } from './RoutePart.tsx'
import { UsePart } from './UsePart.tsx'
import { Waterfall } from './Waterfall.tsx'

/** Why did this call go as it did? */
export function CallDetail({ id }: { readonly id: string }) {
  const [isOver, setIsOver] = useState(false)
  const page = useAnswer(Call, { id }, isOver ? {} : { every: 2_000 })
  const [isCancelling, setIsCancelling] = useState(false)
  const whyNot = useWhyNot('cancelExchange')
  const known = page.data?.exchange
  const { live, ended } = known ?? {}
  const call: CallFacts | undefined = ended ?? live ?? undefined
  const isEnded = known !== undefined && !live
  if (isEnded !== isOver) setIsOver(isEnded)
  return (
    <div className="call">
      <AnswerNotices page={page} names={{ exchange: 'the call' }} />
      {page.isLoading && <Bars lines={6} />}
      {known === null && isWhole(page, 'exchange') && (
        <Empty title="There is no such call">
          Calls are known for 30 days, with their details as long as a process keeps its last
          thousand.
        </Empty>
      )}
      {known && (
        <>
          <div className="row">
            <h2 className="call-model mono">
              {call?.model ?? known.ledger[0]?.requestedModel ?? unknownCell}
            </h2>
            {ended && <Pill look={callLook(ended)} />}
            {live && <Pill look={{ word: 'In flight', shape: 'quarter', tone: 'none' }} />}
          </div>
          <p>{sentenceOf(known)}</p>
          <CopyId id={known.id} />
          {live && (
            <div className="row">
              <Button kind="danger" isSmall whyNot={whyNot} onClick={() => setIsCancelling(true)}>
                Cancel
              </Button>
            </div>
          )}
          {call && (
            <CallParts
              call={call}
              ended={ended ?? undefined}
              live={live ?? undefined}
              traceUrl={textOf(page.data?.configuration.traceUrl[0]?.value)}
            />
          )}
          <LedgerPart rows={known.ledger} hasDetail={call !== undefined} />
          {call && (
            <p className="secondary row">
              <Link to="/explain" search={{ call: known.id }} className="link">
                Explain the route again, now
              </Link>
              {ended?.resourceId && ended.keyId && (
                <Link
                  to="/bindings"
                  search={{ id: ended.resourceId, keyId: ended.keyId }}
                  className="link"
                >
                  Which account owns {ended.resourceId}
                </Link>
              )}
            </p>
          )}
        </>
      )}
      {isCancelling && (
        <ActDialog
          title="Cancel the call"
          verb="Cancel the call"
          isOfRecord={false}
          isDangerous
          reason="required"
          effect="It ends in whichever process it runs. Its client gets an error; a stream ends with an error in its dialect."
          run={(_, reason = '') => act(CancelCall, { input: { id, reason } })}
          done={() => ({ text: 'The call is cancelled.', target: id })}
          onDone={page.refresh}
          onClose={() => setIsCancelling(false)}
        />
      )}
    </div>
  )
}

function CallParts({
  call,
  ended,
  live,
  traceUrl,
}: {
  readonly call: CallFacts
  readonly ended: EndedCall | undefined
  readonly live: LiveCall | undefined
  readonly traceUrl: string | undefined
}) {
  const totalMs = ended?.durationMs ?? live?.ageMs ?? 0
  return (
    <>
      <RoutePart call={call} />
      <Waterfall call={call} totalMs={totalMs} isEnded={ended !== undefined} />
      <FailedAttempts attempts={call.attempts} />
      {call.excluded.length > 0 && (
        <section>
          <h3>{call.attemptCount === 0 ? 'Why no account' : 'Not asked'}</h3>
          <ExcludedList excluded={call.excluded} omitted={call.excludedOmitted} />
        </section>
      )}
      {call.attempts.some(({ native }) => !native) && (
        <section>
          <h3>Lost in translation</h3>
          <LossList losses={call.losses} omitted={call.lossesOmitted} />
        </section>
      )}
      <UsePart call={call} ended={ended} traceUrl={traceUrl} />
    </>
  )
}

/** A setting that is a text; undefined: it is not set. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
