import { Link } from '@tanstack/react-router'

import { useAnswer } from '../../api/query.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { KeyLink } from '../../ui/links.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { AccountOwned } from './operations.generated.ts'

/** Whose responses, conversations and files the account has: no other account can serve them. */
export function OwnedCard({ id: accountId }: { readonly id: string }) {
  // The gateway walks through the store for it: once, when the page opens.
  const page = useAnswer(AccountOwned, { id: accountId })
  const { edges, pageInfo } = page.data?.bindings ?? {}
  const hasMore = pageInfo?.hasNextPage ?? false
  return (
    <Card
      isFlush
      title="Conversations and files here"
      aside={
        <Link to="/bindings" search={{ accountId }} className="link">
          All of them
        </Link>
      }
    >
      <AnswerNotices page={page} names={{ bindings: 'what it owns' }} />
      <Table
        label="Conversations and files here"
        rows={edges?.map(({ node }) => node)}
        rowKey={({ recordId, id }) => recordId ?? id ?? ''}
        isLoading={page.isLoading}
        isWhole={isWhole(page, 'bindings')}
        empty={
          hasMore ? (
            <Empty title="None among the first">The whole list may have some.</Empty>
          ) : (
            <Empty title="It owns nothing">Any account of a model may serve each call.</Empty>
          )
        }
        columns={[
          {
            id: 'id',
            head: 'Id',
            isHead: true,
            cell: ({ id, keyId, recordId }) =>
              id && keyId ? (
                <Link
                  to="/bindings"
                  search={{ id, keyId }}
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
            id: 'key',
            head: 'Key',
            cell: ({ keyId }) => (keyId ? <KeyLink id={keyId} /> : unknownCell),
          },
          {
            id: 'expires',
            head: 'Expires',
            isNumber: true,
            isWide: true,
            cell: ({ expiresAt }) => <Time at={expiresAt} />,
          },
        ]}
      />
    </Card>
  )
}
