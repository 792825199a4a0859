import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import type { ApiError } from '../../api/errors.ts'
import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { textsOf } from '../../app/search-texts.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices, Notice } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { State } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { ActDetail } from './ActDetail.tsx'
import { type AuditEntry, lookOf } from './entry.ts'
import { ExportButton } from './ExportButton.tsx'
import { Audit } from './operations.generated.ts'
import type { AuditSearch } from './search.ts'

const route = getRouteApi('/audit')

const fields = [
  ['action', 'Act'],
  ['actor', 'Who'],
  ['target', 'On what'],
  ['from', 'From', 'moment'],
  ['to', 'To', 'moment'],
] as const

const names = fields.map(([name]) => name)

/** Who has done what, when, and why? */
export function AuditPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/audit' })
  const { from, to, after, open } = search
  const filter = textsOf({ ...search }, names)
  const page = useAnswer(Audit, { filter, after: after ?? null }, { every: 10_000 })
  useChanges(['AUDIT'], page.refresh)
  const [failure, setFailure] = useState<ApiError>()
  const chosen = page.data?.audit?.edges.find(({ node }) => node.id === open)?.node
  const show = (change: AuditSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  return (
    <>
      <PageHead
        title="Audit"
        acts={<ExportButton from={from} to={to} onError={setFailure} onDone={page.refresh} />}
      />
      <Filters active={Object.keys(filter).length}>
        <FieldFilters fields={fields} values={search} onChange={show} />
      </Filters>
      {failure && <Notice tone="bad">The log was not downloaded. {failure.message}</Notice>}
      <AnswerNotices page={page} names={{ audit: 'the audit log' }} />
      <ListCard
        label="Acts"
        page={page}
        field="audit"
        list={page.data?.audit}
        rowKey={({ id }) => id}
        columns={columns}
        chosen={open}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No such act">No entry has all of these.</Empty>
          ) : (
            <Empty title="No act">No administrator has changed anything yet.</Empty>
          )
        }
        after={after}
        onPage={(after) => show({ after })}
      />
      {chosen && (
        <ActDetail
          entry={chosen}
          onClose={() =>
            void navigate({
              search: (former) => ({ ...former, open: undefined }),
              resetScroll: false,
            })
          }
        />
      )}
    </>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'act',
    head: 'Act',
    isHead: true,
    cell: ({ id, action, result, count }) => (
      <>
        <Link
          from="/audit"
          to="/audit"
          search={(former) => ({ ...former, open: id })}
          resetScroll={false}
          className="mono quiet-link"
        >
          {action}
        </Link>
        {result !== 'DONE' && (
          <p>
            <State look={lookOf(result)}>{count > 1 ? `${count} times` : undefined}</State>
          </p>
        )}
      </>
    ),
  },
  { id: 'at', head: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'target',
    head: 'On what',
    cell: ({ target: { type, id } }) => (
      <>
        <span className="muted">{type} </span>
        <span className="mono wrap-anywhere">{id}</span>
      </>
    ),
  },
  {
    id: 'actor',
    head: 'Who',
    isWide: true,
    cell: ({ actor }) =>
      actor ? (
        <>
          <span className="mono wrap-anywhere">{actor.id}</span>{' '}
          <span className="muted">{actor.role?.toLowerCase()}</span>
        </>
      ) : (
        unknownCell
      ),
  },
  {
    id: 'reason',
    head: 'Why',
    isWide: true,
    cell: ({ reason }) => reason ?? <span className="muted">no reason given</span>,
  },
]
