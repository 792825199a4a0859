import type { ReactNode } from 'react'

import type { Connection } from '../api/all-pages.ts'
import type { PageAnswer } from '../api/query.ts'
import { Card } from './Card.tsx'
import { Empty } from './Empty.tsx'
import { isWhole } from './Notice.tsx'
import { Pager, type PagerProps } from './Pager.tsx'
import { Table, type TableProps } from './Table.tsx'

/** Properties of `ListCard`. */
export interface ListCardProps<Row>
  extends
    Omit<TableProps<Row>, 'rows' | 'isLoading' | 'isWhole'>,
    Pick<PagerProps, 'after' | 'onPage'> {
  readonly title?: ReactNode
  readonly aside?: ReactNode
  /** The answer, and its field that has the list. */
  readonly page: PageAnswer<unknown>
  readonly field: string
  readonly list: Connection<Row> | null | undefined
  /** Above the table. */
  readonly children?: ReactNode
}

/** A list that the gateway has in pages: a table, and the way to the next page. */
export function ListCard<Row>({
  title,
  aside,
  page,
  field,
  list,
  after,
  onPage,
  children,
  empty,
  ...table
}: ListCardProps<Row>) {
  const { hasNextPage = false, endCursor } = list?.pageInfo ?? {}
  return (
    <Card isFlush title={title} aside={aside}>
      {children}
      <Table
        {...table}
        rows={list?.edges.map(({ node }) => node)}
        isLoading={page.isLoading}
        isWhole={isWhole(page, field)}
        empty={hasNextPage ? noneHere : after === undefined ? empty : noMore}
      />
      <Pager after={after} next={hasNextPage ? endCursor : undefined} onPage={onPage} />
    </Card>
  )
}

const noneHere = (
  <Empty title="None on this page">
    A page examines a part of the list. Others may match: go to the next page.
  </Empty>
)

const noMore = <Empty title="There are no more" />
