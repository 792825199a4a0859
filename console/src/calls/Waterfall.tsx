import { useState } from 'react'

import { duration } from '../format/durations.ts'
import { Switch } from '../ui/Switch.tsx'
import type { CallFacts } from './call.ts'

/** Shorter calls are shown whole only, in milliseconds. */
const firstMs = 1_000

/** Where the time went: the gateway, and each attempt, which first waits and then reads. */
export function Waterfall({
  call,
  totalMs,
  isEnded,
}: {
  readonly call: CallFacts
  readonly totalMs: number
  readonly isEnded: boolean
}) {
  const [isFirst, setIsFirst] = useState(false)
  const { attempts, firstOutputMs } = call
  const sent = attempts.flatMap((one) =>
    typeof one.startedMs === 'number' ? [{ ...one, startedMs: one.startedMs }] : [],
  )
  const gatewayMs = sent[0]?.startedMs ?? totalMs
  const hasFirst = totalMs > 3 * firstMs
  const shownMs = hasFirst && isFirst ? firstMs : Math.max(totalMs, 1)
  return (
    <section>
      <div className="call-head">
        <h3>Time</h3>
        {hasFirst && (
          <Switch
            label="What is drawn"
            value={isFirst ? 'first' : 'whole'}
            options={[
              { value: 'whole', name: 'Whole' },
              { value: 'first', name: 'First second' },
            ]}
            onChange={(value) => setIsFirst(value === 'first')}
          />
        )}
      </div>
      <table className="waterfall" aria-label="Time">
        <tbody>
          <Row name="Gateway" text={duration(gatewayMs)}>
            <Part from={0} to={gatewayMs} of={shownMs} kind="gateway" />
          </Row>
          {sent.map(({ number, accountId, startedMs, firstByteMs, endedMs, status, outcome }) => {
            const endMs = endedMs ?? totalMs
            const isFailed = outcome === 'FAILED'
            const repliedMs = firstByteMs ?? endMs
            return (
              <Row
                key={number}
                name={
                  <>
                    <span className="mono">{accountId}</span>
                    {isFailed && <span className="call-failed"> {status ?? 'failed'}</span>}
                  </>
                }
                text={`${duration(endMs - startedMs)}${endedMs === null && !isEnded ? ' so far' : ''}`}
              >
                <Part from={startedMs} to={repliedMs} of={shownMs} kind="waits" />
                <Part
                  from={repliedMs}
                  to={endMs}
                  of={shownMs}
                  kind={isFailed ? 'failed' : 'reads'}
                />
              </Row>
            )
          })}
          {typeof firstOutputMs === 'number' && (
            <Row name={<span className="muted">First output</span>} text={duration(firstOutputMs)}>
              <Part from={firstOutputMs} to={firstOutputMs} of={shownMs} kind="mark" />
            </Row>
          )}
        </tbody>
      </table>
      <p className="secondary call-scale">
        <span>0</span>
        <span>{duration(shownMs / 2)}</span>
        <span>{duration(shownMs)}</span>
      </p>
      {sent.length > 0 && (
        <p className="secondary row">
          <span className="call-key waits" /> waits for the account
          <span className="call-key reads" /> reads its reply
        </p>
      )}
    </section>
  )
}

function Row({
  name,
  text,
  children,
}: {
  readonly name: React.ReactNode
  readonly text: string
  readonly children: React.ReactNode
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="waterfall-track" aria-hidden="true">
        <div>{children}</div>
      </td>
      <td className="number">{text}</td>
    </tr>
  )
}

/** A part of the track, from a time to another, cut off at the end of the shown time. */
function Part({
  from,
  to,
  of,
  kind,
}: {
  readonly from: number
  readonly to: number
  readonly of: number
  readonly kind: 'gateway' | 'waits' | 'reads' | 'failed' | 'mark'
}) {
  if (from > of) return null
  const left = (100 * from) / of
  const width = (100 * (Math.min(to, of) - from)) / of
  return <span className={kind} style={{ left: `${left}%`, width: `${Math.max(0, width)}%` }} />
}
