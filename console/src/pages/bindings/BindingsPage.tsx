import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'

import { useAnswer } from '../../api/query.ts'
import { textsOf } from '../../app/search-texts.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { AccountLink, KeyLink } from '../../ui/links.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import type { Column } from '../../ui/Table.tsx'
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

const names = fields.map(([name]) => name)

/** Which account owns a response or a conversation, and what does its client get? */
export function BindingsPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/bindings' })
  const { keyId, after } = search
  const filter = textsOf({ ...search }, names)
  const page = useAnswer(Bindings, { filter, after: after ?? null })
  const chosen = page.data?.bindings?.edges.find(
    ({ node }) => node.id === search.id && (keyId === undefined || node.keyId === keyId),
  )?.node
  const show = (change: BindingsSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  return (
    <>
      <PageHead title="Bindings" />
      <div className="stack">
        <LookUpCard search={search} onShow={show} onDone={page.refresh} />
        <ListCard
          title="All bindings"
          label="Bindings"
          page={page}
          field="bindings"
          list={page.data?.bindings}
          after={after}
          onPage={(after) => show({ after })}
          rowKey={keyOf}
          chosen={chosen && keyOf(chosen)}
          columns={columns}
          empty={
            Object.keys(filter).length > 0 ? (
              <Empty title="No such binding">No binding has all of these.</Empty>
            ) : (
              <Empty title="There is no binding">
                A binding says which account owns a stored response, a conversation or a file.
              </Empty>
            )
          }
        >
          <Filters active={Object.keys(filter).length}>
            <FieldFilters fields={fields} values={search} onChange={show} />
          </Filters>
          <AnswerNotices page={page} names={{ bindings: 'the bindings' }} />
        </ListCard>
      </div>
    </>
  )
}

function keyOf({ recordId, id }: BindingRow): string {
  return recordId ?? id ?? ''
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
  {
    id: 'kind',
    head: 'Kind',
    isWide: true,
    cell: ({ kind }) => kind?.toLowerCase() ?? unknownCell,
  },
  {
    id: 'account',
    head: 'Account',
    cell: ({ accountId: id, account }) =>
      id ? <AccountLink id={id} isGone={!account} /> : <span className="muted">the gateway</span>,
  },
  {
    id: 'key',
    head: 'Key',
    isWide: true,
    cell: ({ keyId: id }) => (id ? <KeyLink id={id} /> : unknownCell),
  },
  {
    id: 'model',
    head: 'Model',
    isWide: true,
    cell: ({ model }) => (model ? <code>{model}</code> : unknownCell),
  },
  { id: 'made', head: 'Made', isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'expires',
    head: 'Expires',
    isNumber: true,
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
]
