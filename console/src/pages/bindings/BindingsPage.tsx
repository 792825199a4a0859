import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'

import { useAnswer } from '../../api/query.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { LookUpCard } from './LookUpCard.tsx'
import { Bindings, type BindingsQuery } from './operations.generated.ts'
import type { BindingsSearch } from './search.ts'

type BindingRow = NonNullable<BindingsQuery['bindings']>['edges'][number]['node']

const route = getRouteApi('/bindings')

const fields = [
  ['keyId', 'Key'],
  ['accountId', 'Account'],
  ['kind', 'Kind'],
] as const

/** Which account owns a response or a conversation, and what does its client get? */
export function BindingsPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/bindings' })
  const { keyId, accountId, kind, after } = search
  const filter = {
    ...(keyId && { keyId }),
    ...(accountId !== undefined && { accountId }),
    ...(kind && { kind }),
  }
  const page = useAnswer(Bindings, { filter, after: after ?? null })
  const { edges, pageInfo } = page.data?.bindings ?? {}
  const rows = edges?.map(({ node }) => node)
  const show = (change: BindingsSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  return (
    <>
      <PageHead title="Bindings" />
      <div className="stack">
        <LookUpCard search={search} onShow={show} onDone={page.refresh} />
        <Card
          isFlush
          title="All bindings"
          aside={<FieldFilters fields={fields} values={search} onChange={show} />}
        >
          <AnswerNotices page={page} names={{ bindings: 'the bindings' }} />
          <Table
            label="Bindings"
            rows={rows}
            rowKey={({ recordId, id }) => recordId ?? id ?? ''}
            columns={columns}
            isLoading={page.isLoading}
            isWhole={isWhole(page, 'bindings') && !pageInfo?.hasNextPage}
            empty={
              Object.keys(filter).length > 0 ? (
                <Empty title="No such binding">No binding has all of these.</Empty>
              ) : (
                <Empty title="There is no binding">
                  A binding says which account owns a stored response, a conversation or a file.
                </Empty>
              )
            }
          />
          {rows?.length === 0 && pageInfo?.hasNextPage && (
            <Empty title="None on this page">
              A page examines a part of the store. Others may match: go to the next page.
            </Empty>
          )}
          <Pager
            after={after}
            next={pageInfo?.hasNextPage ? pageInfo.endCursor : undefined}
            onPage={(after) => show({ after })}
          />
        </Card>
      </div>
    </>
  )
}

const columns: readonly Column<BindingRow>[] = [
  {
    id: 'id',
    head: 'Id',
    isHead: true,
    cell: ({ id, keyId, recordId }) =>
      id && keyId ? (
        <Link
          from="/bindings"
          to="/bindings"
          search={(former) => ({ ...former, id, keyId })}
          className="mono quiet-link wrap-anywhere"
        >
          {id}
        </Link>
      ) : (
        <span className="muted">
          known by its hash only, <span className="mono">{recordId?.slice(0, 12)}</span>
        </span>
      ),
  },
  { id: 'kind', head: 'Kind', isWide: true, cell: ({ kind }) => kind?.toLowerCase() ?? '–' },
  {
    id: 'account',
    head: 'Account',
    cell: ({ accountId: id }) =>
      id ? (
        <Link to="/accounts/$id" params={{ id }} className="link mono">
          {id}
        </Link>
      ) : (
        <span className="muted">the gateway</span>
      ),
  },
  {
    id: 'key',
    head: 'Key',
    isWide: true,
    cell: ({ keyId: id }) =>
      id ? (
        <Link to="/keys/$id" params={{ id }} className="link mono">
          {id}
        </Link>
      ) : (
        '–'
      ),
  },
  {
    id: 'model',
    head: 'Model',
    isWide: true,
    cell: ({ model }) => (model ? <code>{model}</code> : '–'),
  },
  { id: 'made', head: 'Made', isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'expires',
    head: 'Expires',
    isNumber: true,
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
]
