import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useLive } from '../../api/live.ts'
import { useAnswer, useRefreshOnEvents } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { State } from '../../ui/State.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { type Alias, type Model, modelLook } from './model.ts'
import { ModelAccounts } from './ModelAccounts.tsx'
import { Models, ModelsLive } from './operations.generated.ts'
import type { ModelsSearch } from './search.ts'
import { RemoveAlias, SetAlias } from './SetAlias.tsx'

const route = getRouteApi('/models')

type Open = { readonly act: 'set' | 'remove'; readonly alias?: Alias | undefined }

/** Which models may clients name, who serves each now, and what do aliases stand for? */
export function ModelsPage() {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/models' })
  const { show, after, open: chosen } = search
  const [open, setOpen] = useState<Open>()
  const whyNot = useMay('admin') ? undefined : 'The role admin may do this.'
  const filter = {
    ...(search.search && { search: search.search }),
    ...(show && { available: false }),
  }
  const page = useAnswer(Models, { filter, after: after ?? null }, { every: 5_000 })
  const refresh = useRefreshOnEvents(page.refresh)
  useLive(ModelsLive, {}, { onEvents: refresh, onGap: refresh })
  const { models, aliases } = page.data ?? {}
  const rows = models?.edges.map(({ node }) => node)
  const aliasOf = (name: string) => aliases?.find((one) => one.name === name)
  const unavailable =
    models && (models.countsByState.find(({ state }) => state === 'UNAVAILABLE')?.count ?? 0)
  const change = (change: ModelsSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  const one = rows?.find(({ name }) => name === chosen)
  const dialog = { onClose: () => setOpen(undefined), onDone: page.refresh }
  return (
    <>
      <PageHead
        title="Models"
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setOpen({ act: 'set' })}>
            Set an alias
          </Button>
        }
      />
      <div className="filters">
        <Switch
          label="Which models"
          value={show ?? 'all'}
          options={[
            { value: 'all', name: 'All', count: models?.totalCount },
            { value: 'unavailable', name: 'Not served now', count: unavailable },
          ]}
          onChange={(value) => change({ show: value === 'all' ? undefined : value })}
        />
        <FieldFilters fields={[['search', 'Begins with']]} values={search} onChange={change} />
      </div>
      <AnswerNotices page={page} names={{ models: 'the models', aliases: 'the aliases' }} />
      <div className="stack">
        <Card isFlush>
          <Table
            label="Models"
            rows={rows}
            rowKey={({ name }) => name}
            columns={columnsOf(aliasOf)}
            chosen={chosen}
            isLoading={page.isLoading}
            isWhole={isWhole(page, 'models') && !models?.pageInfo.hasNextPage}
            empty={
              Object.keys(filter).length > 0 ? (
                <Empty title="No such model" />
              ) : (
                <Empty title="There is no model">No account names one.</Empty>
              )
            }
          />
          <Pager
            after={after}
            next={models?.pageInfo.hasNextPage ? models.pageInfo.endCursor : undefined}
            onPage={(after) => change({ after })}
          />
        </Card>
        {one && (
          <ModelAccounts
            model={one}
            alias={aliasOf(one.name)}
            whyNot={whyNot}
            onAct={(act) => setOpen({ act, alias: aliasOf(one.name) })}
          />
        )}
      </div>
      {open?.act === 'set' && <SetAlias {...dialog} alias={open.alias} />}
      {open?.act === 'remove' && open.alias && <RemoveAlias {...dialog} alias={open.alias} />}
    </>
  )
}

function columnsOf(aliasOf: (name: string) => Alias | undefined): readonly Column<Model>[] {
  return [
    {
      id: 'model',
      head: 'Model',
      isHead: true,
      cell: ({ name, model, kind }) => (
        <>
          <Link
            from="/models"
            to="/models"
            search={(former) => ({ ...former, open: name })}
            className="mono quiet-link wrap-anywhere"
          >
            {name}
          </Link>
          {kind === 'ALIAS' && (
            <p className="secondary">
              alias of <span className="mono">{model}</span>
            </p>
          )}
          {kind === 'PATTERN' && <p className="secondary">all names like this</p>}
        </>
      ),
    },
    { id: 'state', head: 'State', cell: (model) => <State look={modelLook(model)} /> },
    {
      id: 'accounts',
      head: 'Accounts',
      isWide: true,
      cell: ({ accounts: { edges, pageInfo } }) => (
        <span className="mono wrap-anywhere">
          {edges
            .slice(0, 3)
            .map(({ node }) => node.accountId)
            .join(', ') || '–'}
          {(edges.length > 3 || pageInfo.hasNextPage) && <span className="muted"> and more</span>}
        </span>
      ),
    },
    {
      id: 'choice',
      head: 'Chosen by',
      isWide: true,
      cell: ({ name }) => strategyText(aliasOf(name)),
    },
  ]
}

function strategyText(alias: Alias | undefined): string {
  if (alias?.problem) return alias.problem
  const { strategy, fallbacks } = alias ?? {}
  const by = strategy ? strategies[strategy] : 'priority and weight'
  return fallbacks && fallbacks.length > 0
    ? `${by}, then ${fallbacks.map(({ model }) => model).join(', ')}`
    : by
}

const strategies = {
  COST: 'lowest cost',
  LATENCY: 'lowest latency',
  LEAST_BUSY: 'least busy',
} as const
