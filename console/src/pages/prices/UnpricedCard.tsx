import { Link } from '@tanstack/react-router'

import { count, share } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { AccountLink } from '../../ui/links.tsx'
import { Table } from '../../ui/Table.tsx'
import type { PricesQuery } from './operations.generated.ts'
import type { PriceStart } from './SetPrice.tsx'

/** The usage of a model at an account. */
type UsedModel = NonNullable<PricesQuery['usage']>['rows'][number]

/** So many are shown: those with most traffic. */
const mostShown = 20

/** Whether the cost of some of it is not known. */
export function isUnpriced({ unpricedCalls }: UsedModel): boolean {
  return unpricedCalls > 0
}

/** Which calls of the last 30 days have an unknown cost? The models with most of them first. */
export function UnpricedCard({
  rows,
  whyNot,
  onPrice,
}: {
  readonly rows: readonly UsedModel[]
  readonly whyNot: string | undefined
  readonly onPrice: (start: PriceStart) => void
}) {
  const worst = rows.toSorted((one, other) => other.unpricedCalls - one.unpricedCalls)
  return (
    <Card isFlush title="Used in 30 days at an unknown cost">
      <Table
        label="Used at an unknown cost"
        rows={worst.slice(0, mostShown)}
        rowKey={({ model, account }) => `${model} ${account}`}
        columns={[
          {
            id: 'model',
            head: 'Model',
            isHead: true,
            cell: ({ model, account }) => (
              <Link
                to="/usage"
                search={{
                  ...(model && { model }),
                  ...(account && { accountId: account }),
                  span: '30d',
                  by: 'DAY',
                }}
                className="mono quiet-link wrap-anywhere"
              >
                {model || 'none'}
              </Link>
            ),
          },
          {
            id: 'account',
            head: 'Account',
            cell: ({ account }) =>
              account ? <AccountLink id={account} /> : <span className="muted">none</span>,
          },
          {
            id: 'attempts',
            head: 'Attempts of unknown cost',
            isNumber: true,
            cell: ({ unpricedCalls }) => count(unpricedCalls),
          },
          {
            id: 'share',
            head: 'Of all its attempts',
            isNumber: true,
            isWide: true,
            cell: ({ unpricedCalls, calls, retries }) => share(unpricedCalls, calls + retries),
          },
          {
            id: 'acts',
            head: <span className="hidden-label">Acts</span>,
            isNumber: true,
            isWide: true,
            cell: ({ model, account }) => (
              <Button
                isSmall
                whyNot={whyNot}
                aria-label={`Set a price of ${model} at ${account}`}
                onClick={() => onPrice({ model: model ?? '', accountId: account ?? '' })}
              >
                Set a price
              </Button>
            ),
          },
        ]}
      />
    </Card>
  )
}
