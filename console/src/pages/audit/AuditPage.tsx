import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'

import { useAnswer } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { State } from '../../ui/State.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { ActDetail } from './ActDetail.tsx'
import { type AuditEntry, lookOf } from './entry.ts'
import { Audit } from './operations.generated.ts'
import type { AuditSearch } from './search.ts'

const route = getRouteApi('/audit')

const fields = [
  ['action', 'Act'],
  ['actor', 'Who'],
  ['target', 'On what'],
] as const

/** Who has done what, when, and why? */
export function AuditPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/audit' })
  const mayRead = useMay('admin')
  const { action, actor, target, from, to, after, open } = search
  const filter = {
    ...(action && { action }),
    ...(actor && { actor }),
    ...(target && { target }),
    ...(from && { from }),
    ...(to && { to }),
  }
  const page = useAnswer(Audit, { filter, after: after ?? null }, { isOn: mayRead, every: 10_000 })
  const { edges, pageInfo } = page.data?.audit ?? {}
  const entries = edges?.map(({ node }) => node)
  const chosen = entries?.find(({ id }) => id === open)
  const show = (change: AuditSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  if (!mayRead)
    return (
      <>
        <PageHead title="Audit" />
        <Notice>The role admin may read the audit log.</Notice>
      </>
    )
  return (
    <>
      <PageHead title="Audit" />
      <div className="filters">
        <FieldFilters fields={fields} values={search} onChange={show} />
      </div>
      <AnswerNotices page={page} names={{ audit: 'the audit log' }} />
      <Card isFlush>
        <Table
          label="Acts"
          rows={entries}
          rowKey={({ id }) => id}
          columns={columns}
          chosen={open}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'audit') && !pageInfo?.hasNextPage}
          empty={
            Object.keys(filter).length > 0 ? (
              <Empty title="No such act">No entry has all of these.</Empty>
            ) : (
              <Empty title="No act">No administrator has changed anything yet.</Empty>
            )
          }
        />
        {entries?.length === 0 && pageInfo?.hasNextPage && (
          <Empty title="None on this page">
            A page examines a part of the log. Older entries may match: go to the next page.
          </Empty>
        )}
        <Pager
          after={after}
          next={pageInfo?.hasNextPage ? pageInfo.endCursor : undefined}
          onPage={(after) => show({ after })}
        />
      </Card>
      {chosen && (
        <ActDetail
          entry={chosen}
          onClose={() => void navigate({ search: (former) => ({ ...former, open: undefined }) })}
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
          <span className="muted">{actor.role.toLowerCase()}</span>
        </>
      ) : (
        '–'
      ),
  },
  {
    id: 'reason',
    head: 'Why',
    isWide: true,
    cell: ({ reason }) => reason ?? <span className="muted">no reason given</span>,
  },
]
