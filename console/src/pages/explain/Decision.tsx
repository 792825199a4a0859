import { ExcludedList, LossList } from '../../calls/lists.tsx'
import { counted, share } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Json } from '../../ui/Json.tsx'
import { AccountLink } from '../../ui/links.tsx'
import { Pill } from '../../ui/State.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Countdown } from '../../ui/Time.tsx'
import type { ExplainQuery } from './operations.generated.ts'

type Found = ExplainQuery['explain']
type Candidate = Found['candidates'][number]

/** What a request would get: the account that is asked first, the others, and why not the rest. */
export function Decision({ found }: { readonly found: Found }) {
  const { answer, chosen, candidates, candidatesOmitted, excluded, excludedOmitted, losses } = found
  const first = candidates.find(({ accountId }) => accountId === chosen?.accountId)
  return (
    <>
      <Card title="Decision">
        <div className="row explain-verdict">
          {chosen ? (
            <>
              <Pill look={{ word: 'An account answers', shape: 'check', tone: 'ok' }} />
              <span>
                <AccountLink id={chosen.accountId} /> is asked first
              </span>
            </>
          ) : (
            answer && (
              <>
                <Pill
                  look={
                    answer.status < 400
                      ? { word: String(answer.status), shape: 'check', tone: 'ok' }
                      : { word: String(answer.status), shape: 'cross', tone: 'bad' }
                  }
                />
                <span>
                  {answer.status < 400
                    ? 'The gateway answers'
                    : 'No account is asked: the client gets'}{' '}
                  <code>{answer.code}</code>
                </span>
              </>
            )
          )}
        </div>
        {answer?.message && <p>{answer.message}</p>}
        <Definition
          items={[
            ['Operation', found.operation ?? null],
            [
              'Model',
              found.resolvedModel ? (
                <code key="model">{found.resolvedModel}</code>
              ) : (
                'the request names none'
              ),
            ],
            !!chosen && ['Chosen by', found.rule ?? null],
            found.pinned && ['Another account', 'may not serve it'],
            found.moves && ['The conversation', 'moves to the account first'],
            !!first && ['Translated', first.native ? 'no' : `yes, to ${first.dialect}`],
            ...found.fallbacks.map(
              ({ model, next, error }) =>
                ['Fallback', `${model} to ${next}, because of ${error}`] as const,
            ),
            [
              'Answered by the process',
              <span key="process" className="mono">
                {found.processId}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card isFlush title="Candidates">
        <Table
          label="Candidates"
          rows={candidates}
          rowKey={({ accountId }) => accountId}
          columns={columns}
          isWhole
          empty={
            excluded.length > 0 ? (
              <Empty title="No account can serve it">The reasons are below.</Empty>
            ) : (
              <Empty title="No account was considered">The gateway answers before.</Empty>
            )
          }
        />
        {candidatesOmitted > 0 && (
          <p className="secondary explain-more">and {counted(candidatesOmitted, 'more account')}</p>
        )}
      </Card>
      {excluded.length > 0 && (
        <Card title="Not asked">
          <ExcludedList excluded={excluded} omitted={excludedOmitted} />
        </Card>
      )}
      {first && !first.native && (
        <Card title="Lost in translation">
          <LossList losses={losses} omitted={0} />
        </Card>
      )}
      {answer?.body !== null && answer?.body !== undefined && (
        <Card title="What the client gets">
          <Json label="What the client gets" value={answer.body} />
        </Card>
      )}
    </>
  )
}

const columns: readonly Column<Candidate>[] = [
  {
    id: 'account',
    head: 'Account',
    isHead: true,
    cell: ({ accountId, upstreamModel, dialect, native }) => (
      <>
        <AccountLink id={accountId} isHead />
        <p className="secondary">
          {[upstreamModel, native ? dialect : `translated to ${dialect}`]
            .filter(Boolean)
            .join(', ')}
        </p>
      </>
    ),
  },
  {
    id: 'chance',
    head: 'Asked first',
    isNumber: true,
    cell: ({ chance }) => share(chance, 1),
  },
  {
    id: 'order',
    head: 'Priority × weight',
    isNumber: true,
    isWide: true,
    cell: ({ priority, weight }) => (
      <>
        {priority} <span className="muted">× {weight}</span>
      </>
    ),
  },
  {
    id: 'why',
    head: 'Preference',
    isWide: true,
    cell: ({ why, rank }) =>
      why ? (
        <>
          {why} <span className="muted">rank {rank}</span>
        </>
      ) : (
        <span className="muted">none</span>
      ),
  },
  {
    id: 'elsewhere',
    head: 'In other processes',
    isWide: true,
    cell: ({ elsewhere }) =>
      elsewhere.length === 0 ? (
        <span className="muted">the same</span>
      ) : (
        elsewhere.map(({ processId, reason, until }) => (
          <p key={`${processId} ${reason}`} className="secondary">
            {reason}
            {until && (
              <>
                , for <Countdown until={until} />
              </>
            )}
          </p>
        ))
      ),
  },
]
