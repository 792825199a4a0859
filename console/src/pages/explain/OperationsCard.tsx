import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import type { PageAnswer } from '../../api/query.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import type { Explainable } from './explainable.ts'
import type { ExplainNamesQuery } from './operations.generated.ts'
import type { ExplainSearch } from './search.ts'

const names = { explainable: 'the operations', keys: 'the keys', models: 'the models' }

/** Which operations can be explained? */
export function OperationsCard({
  page,
  asked,
}: {
  readonly page: PageAnswer<ExplainNamesQuery>
  readonly asked: ExplainSearch
}) {
  const [isShown, setIsShown] = useState(false)
  if (!isShown)
    return (
      <div className="row">
        <Button onClick={() => setIsShown(true)}>All operations</Button>
      </div>
    )
  return (
    <Card isFlush title="Operations">
      <AnswerNotices page={page} names={names} />
      <Table
        label="Operations"
        rows={page.data && byDialect(page.data.explainable)}
        rowKey={({ dialect }) => dialect}
        columns={columnsOf(asked)}
        isLoading={page.isLoading}
        isWhole={isWhole(page, 'explainable')}
        empty={<Empty title="No operation">No dialect of clients chooses accounts.</Empty>}
      />
    </Card>
  )
}

/** The operations of a dialect. */
interface OfDialect {
  readonly dialect: string
  readonly operations: readonly Explainable[]
}

function byDialect(all: readonly Explainable[]): readonly OfDialect[] {
  const groups = Map.groupBy(all, ({ dialect }) => dialect)
  return [...groups].map(([dialect, operations]) => ({ dialect, operations }))
}

function columnsOf({ keyId, model }: ExplainSearch): readonly Column<OfDialect>[] {
  return [
    {
      id: 'dialect',
      head: 'Dialect',
      isHead: true,
      cell: ({ dialect }) => <span className="mono">{dialect}</span>,
    },
    {
      id: 'operations',
      head: 'Operations',
      cell: ({ operations }) => (
        <span className="explain-operations">
          {operations.map(({ dialect, operation, summary }) => (
            <Link
              key={operation}
              to="/explain"
              search={{ keyId, model, dialect, operation }}
              className="mono link"
              title={summary}
            >
              {operation}
            </Link>
          ))}
        </span>
      ),
    },
  ]
}
