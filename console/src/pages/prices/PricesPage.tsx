import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { gatewayNow } from '../../api/clock.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { priceOf } from '../../format/money.ts'
import { unknownCell } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pill } from '../../ui/State.tsx'
import { Switch } from '../../ui/Switch.tsx'
import type { Column } from '../../ui/Table.tsx'
import { useMonth } from '../../usage/range.ts'
import { Prices } from './operations.generated.ts'
import { type PriceRow, originText, unitsText } from './price.ts'
import { PriceDialog } from './PriceDialog.tsx'
import type { RateName } from './rates.ts'
import { type PriceStart, SetPrice } from './SetPrice.tsx'
import { UnpricedCard, isUnpriced } from './UnpricedCard.tsx'

const route = getRouteApi('/prices')

const names = { prices: 'the prices', usage: 'the usage' }

/** After so many days, providers have probably changed some of their prices. */
const oldDays = 90

function isOld(checkedAt: string): boolean {
  return gatewayNow() - Date.parse(checkedAt) > oldDays * 86_400_000
}

/** What does a million tokens of each model cost, and which models have no price? */
export function PricesPage() {
  const { show, after, open } = route.useSearch()
  const navigate = useNavigate({ from: '/prices' })
  const [start, setStart] = useState<PriceStart>()
  const whyNot = useWhyNot('setPrice')
  const range = useMonth()
  const page = useAnswer(Prices, {
    ...range,
    after: after ?? null,
    ...(show !== undefined && { unpriced: show === 'unpriced' }),
  })
  useChanges(['PRICES'], page.refresh)
  const { prices, usage } = page.data ?? {}
  const chosen = prices?.edges.find(({ node }) => node.id === open)?.node
  const unpriced = usage?.rows.filter(isUnpriced)
  const checkedAt = prices?.edges.find(({ node }) => node.checkedAt)?.node.checkedAt ?? undefined
  return (
    <>
      <PageHead
        title="Prices"
        aside={<span className="secondary">US dollars for a million tokens</span>}
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setStart({})}>
            Set a price
          </Button>
        }
      />
      <AnswerNotices page={page} names={names} />
      {checkedAt !== undefined && isOld(checkedAt) && (
        <Notice tone="warn">
          The published prices were checked on {checkedAt.slice(0, 10)}. A newer version of Dragoman
          has newer ones, and a price that is set here goes before them.
        </Notice>
      )}
      <div className="stack">
        {unpriced && unpriced.length > 0 && (
          <UnpricedCard rows={unpriced} whyNot={whyNot} onPrice={setStart} />
        )}
        {open !== undefined && !chosen && isWhole(page, 'prices') && (
          <Notice>This price is not in the list below.</Notice>
        )}
        <ListCard
          title="All prices"
          aside={
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
          }
          label="Prices"
          page={page}
          field="prices"
          list={prices}
          rowKey={({ id }) => id}
          columns={columns}
          chosen={open}
          empty={
            show === 'unpriced' ? (
              <Empty title="Every model has a price">
                No enabled account names a model without one. Which of its tokens have a rate is in
                each price.
              </Empty>
            ) : (
              <Empty title="There is no price">
                No enabled account names a model, and no price is set.
              </Empty>
            )
          }
          after={after}
          onPage={(after) => void navigate({ search: { ...(show && { show }), after } })}
        />
      </div>
      {start && (
        <SetPrice start={start} onClose={() => setStart(undefined)} onDone={page.refresh} />
      )}
      {chosen && (
        <PriceDialog
          key={chosen.id}
          price={chosen}
          onClose={() =>
            void navigate({
              search: (former) => ({ ...former, open: undefined }),
              resetScroll: false,
            })
          }
          onDone={page.refresh}
        />
      )}
    </>
  )
}

const columns: readonly Column<PriceRow>[] = [
  {
    id: 'model',
    head: 'Model',
    isHead: true,
    cell: ({ id, model, provider, accountId }) => (
      <>
        <Link
          from="/prices"
          to="/prices"
          search={(former) => ({ ...former, open: id })}
          resetScroll={false}
          className="mono quiet-link wrap-anywhere"
        >
          {model}
        </Link>
        <p className="secondary">{[provider, accountId].filter(Boolean).join(', ')}</p>
      </>
    ),
  },
  {
    id: 'origin',
    head: 'From',
    isWide: true,
    cell: (price) =>
      price.origin ? (
        <>
          <span className="muted">{originText(price)}</span>
          <p className="secondary">{unitsText(price)}</p>
        </>
      ) : (
        <Pill look={{ word: 'No price', shape: 'triangle', tone: 'warn' }} />
      ),
  },
  rate('input', 'Input'),
  rate('cacheRead', 'Cached', true),
  rate('cacheWrite', 'Cache write', true),
  rate('output', 'Output'),
]

function rate(name: RateName, head: string, isWide = false): Column<PriceRow> {
  return {
    id: name,
    head,
    isNumber: true,
    isWide,
    cell: ({ rates, isFree }) => {
      if (isFree) return <span className="muted">free</span>
      const value = rates?.[name]
      return value === null || value === undefined ? unknownCell : priceOf(value)
    },
  }
}
