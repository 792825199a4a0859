import { money } from '../format/money.ts'
import { bytes, count } from '../format/numbers.ts'
import { CopyId } from '../ui/CopyId.tsx'
import { Definition } from '../ui/Definition.tsx'
import { Time } from '../ui/Time.tsx'
import type { CallFacts, EndedCall } from './call.ts'

/** What the call used, its size, and where else it is recorded. */
export function UsePart({
  call,
  ended,
  traceUrl,
}: {
  readonly call: CallFacts
  readonly ended: EndedCall | undefined
  /** The page of a trace, with `{traceId}` in the place of its id. */
  readonly traceUrl: string | undefined
}) {
  const { bytesIn, bytesOut, startedAt, stream, processId, traceId } = call
  return (
    <section>
      <h3>Use and size</h3>
      <Definition
        items={[
          ...(ended
            ? ([
                ['Input tokens', tokenText(call, ended.inputTokens)],
                ['Output tokens', tokenText(call, ended.outputTokens)],
                ['Cost', costText(ended)],
              ] as const)
            : []),
          ['Received', bytes(bytesIn)],
          ['Sent', bytes(bytesOut)],
          ['Began', <Time key="began" at={startedAt} />],
          ['Stream', stream ? 'yes' : 'no'],
          [
            'Process',
            <span key="process" className="mono">
              {processId}
            </span>,
          ],
          !!ended?.jobId && ['Job', <CopyId key="job" id={ended.jobId} />],
          ['Trace', traceId ? <Trace key="trace" id={traceId} url={traceUrl} /> : 'not traced'],
        ]}
      />
    </section>
  )
}

/** The id of a trace, and a link to it where the gateway knows the page of traces. */
function Trace({ id, url }: { readonly id: string; readonly url: string | undefined }) {
  return (
    <>
      <CopyId id={id} />
      {url !== undefined && (
        <>
          {' '}
          <a
            href={url.replaceAll('{traceId}', id)}
            className="link"
            target="_blank"
            rel="noreferrer"
          >
            Open
          </a>
        </>
      )}
    </>
  )
}

/** A call that no account was asked for has used none. */
function tokenText({ attemptCount }: CallFacts, value: number | null | undefined): string | null {
  if (value !== null && value !== undefined) return count(value)
  return attemptCount === 0 ? 'none' : null
}

/** A cost, or why it is unknown; an estimate says so. */
function costText({ cost, uncosted, usage }: EndedCall): string | null {
  if (cost === null || cost === undefined)
    return uncosted ? `unknown: ${uncosted.toLowerCase().replaceAll('_', ' ')}` : null
  return usage === 'ESTIMATED' ? `${money(cost)}, estimated` : money(cost)
}
