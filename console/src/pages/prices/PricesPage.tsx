import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Pill } from '../../ui/State.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Prices } from './operations.generated.ts'
import { type PriceRow, originText } from './price.ts'
import { PriceDialog } from './PriceDialog.tsx'
import type { RateName } from './rates.ts'
import { SetPrice } from './SetPrice.tsx'
import '../../ui/link-button.css'

const route = getRouteApi('/prices')

/** What does a million tokens of each model cost, and which models have no price? */
export function PricesPage() {
  const { show, after } = route.useSearch()
  const navigate = useNavigate({ from: '/prices' })
  const [open, setOpen] = useState<PriceRow | 'new'>()
  const mayChange = useMay('admin')
  const page = useAnswer(Prices, {
    after: after ?? null,
    ...(show !== undefined && { unpriced: show === 'unpriced' }),
  })
  const { edges, pageInfo } = page.data?.prices ?? {}
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead
        title="Prices"
        aside={<span className="secondary">US dollars for a million tokens</span>}
        acts={
          <Button
            kind="main"
            whyNot={mayChange ? undefined : 'The role admin may set prices.'}
            onClick={() => setOpen('new')}
          >
            Set a price
          </Button>
        }
      />
      <div className="filters">
        <Switch
          label="Which models"
          value={show ?? 'all'}
          options={[
            { value: 'all', name: 'All' },
            { value: 'unpriced', name: 'Without a price' },
            { value: 'priced', name: 'With a price' },
          ]}
          onChange={(value) =>
            void navigate({ search: { ...(value !== 'all' && { show: value }) } })
          }
        />
      </div>
      <AnswerNotices page={page} names={{ prices: 'the prices' }} />
      <Card isFlush>
        <Table
          label="Prices"
          rows={edges?.map(({ node }) => node)}
          rowKey={({ id }) => id}
          columns={columnsOf(setOpen)}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'prices') && !pageInfo?.hasNextPage}
          empty={
            show === 'unpriced' ? (
              <Empty title="Every model has a price">
                The cost of each call to a model that accounts name is known.
              </Empty>
            ) : (
              <Empty title="There is no price">No account names a model.</Empty>
            )
          }
        />
        <Pager
          after={after}
          next={pageInfo?.hasNextPage ? pageInfo.endCursor : undefined}
          onPage={(after) => void navigate({ search: (former) => ({ ...former, after }) })}
        />
      </Card>
      {open === 'new' && <SetPrice onClose={close} onDone={page.refresh} />}
      {open !== undefined && open !== 'new' && (
        <PriceDialog price={open} onClose={close} onDone={page.refresh} />
      )}
    </>
  )
}

function columnsOf(onOpen: (price: PriceRow) => void): readonly Column<PriceRow>[] {
  return [
    {
      id: 'model',
      head: 'Model',
      isHead: true,
      cell: (price) => (
        <>
          <button type="button" className="link-button mono" onClick={() => onOpen(price)}>
            {price.model}
          </button>
          <p className="secondary">
            {[price.provider, price.accountId].filter(Boolean).join(', ')}
          </p>
        </>
      ),
    },
    {
      id: 'origin',
      head: 'From',
      isWide: true,
      cell: (price) =>
        price.origin ? (
          <span className="muted">{originText(price)}</span>
        ) : (
          <Pill look={{ word: 'No price', shape: 'triangle', tone: 'warn' }} />
        ),
    },
    rate('input', 'Input'),
    rate('cacheRead', 'Cached', true),
    rate('cacheWrite', 'Cache write', true),
    rate('output', 'Output'),
  ]
}

function rate(name: RateName, head: string, isWide = false): Column<PriceRow> {
  return {
    id: name,
    head,
    isNumber: true,
    isWide,
    cell: ({ rates, isFree }) => {
      if (isFree) return <span className="muted">free</span>
      const value = rates?.[name]
      return value === null || value === undefined ? unknownCell : `$${value}`
    },
  }
}
