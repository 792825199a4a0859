import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { Beside } from '../../ui/Beside.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Switch } from '../../ui/Switch.tsx'
import type { Alias } from './model.ts'
import { modelColumns } from './model-columns.tsx'
import { ModelDetail } from './ModelDetail.tsx'
import { Models } from './operations.generated.ts'
import type { ModelsSearch } from './search.ts'
import { RemoveAlias, SetAlias } from './SetAlias.tsx'

const route = getRouteApi('/models')

type Open = { readonly act: 'set' | 'remove'; readonly alias?: Alias | undefined }

const names = {
  models: 'the models',
  unserved: 'the models that are not served',
  open: 'the model',
  aliases: 'the aliases',
}

/** Which models may clients name, who serves each now, what do they cost, and what do aliases stand for? */
export function ModelsPage() {
  const { show, after, open: chosen, search } = route.useSearch()
  const navigate = useNavigate({ from: '/models' })
  const [open, setOpen] = useState<Open>()
  const whyNot = useWhyNot('setAlias')
  const isAll = show === undefined
  const begins = search === undefined ? {} : { search }
  const page = useAnswer(
    Models,
    {
      filter: { ...begins, available: isAll },
      after: after ?? null,
      // Models without an account come first.
      unserved: { ...begins, available: false },
      hasUnserved: isAll && after === undefined,
      open: { search: chosen ?? '' },
      hasOpen: chosen !== undefined,
    },
    { every: 5_000 },
  )
  useChanges(['ACCOUNTS', 'CIRCUITS', 'CONFIGURATION', 'ALIASES', 'PRICES'], page.refresh)
  const { models, aliases, unserved, open: found } = page.data ?? {}
  const aliasOf = (name: string) => aliases?.find((one) => one.name === name)
  const unavailable =
    models && (models.countsByState.find(({ state }) => state === 'UNAVAILABLE')?.count ?? 0)
  const change = (change: ModelsSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...change }) })
  // The first that begins with a name is the name itself, if it is there.
  const one = found?.edges.map(({ node }) => node).find(({ name }) => name === chosen)
  const dialog = { onClose: () => setOpen(undefined), onDone: page.refresh }
  return (
    <Beside
      label="Model"
      open={chosen}
      onClose={() => void navigate({ search: (former) => ({ ...former, open: undefined }) })}
      detail={
        chosen !== undefined && (
          <ModelDetail
            name={chosen}
            model={one}
            isLoading={page.isLoading || page.isFormer}
            isMissing={one === undefined && isWhole(page, 'open')}
            alias={aliasOf(chosen)}
            onAct={(act) => setOpen({ act, alias: aliasOf(chosen) })}
          />
        )
      }
    >
      <PageHead
        title="Models"
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setOpen({ act: 'set' })}>
            Set an alias
          </Button>
        }
      />
      <Filters
        active={search === undefined ? 0 : 1}
        main={
          <Switch
            label="Which models"
            value={show ?? 'all'}
            options={[
              { value: 'all', name: 'All', count: models?.totalCount },
              { value: 'unavailable', name: 'Not served now', count: unavailable },
            ]}
            onChange={(value) => change({ show: value === 'all' ? undefined : value })}
          />
        }
      >
        <FieldFilters
          fields={[['search', 'Begins with']]}
          values={{ search }}
          onChange={({ search }) => change({ search })}
        />
      </Filters>
      <AnswerNotices page={page} names={names} />
      {unserved?.pageInfo.hasNextPage && (
        <Notice>
          The first {unserved.edges.length} of the models that are not served come first.
        </Notice>
      )}
      <ListCard
        label="Models"
        page={page}
        field="models"
        list={models && { ...models, edges: [...(unserved?.edges ?? []), ...models.edges] }}
        after={after}
        onPage={(after) => change({ after })}
        rowKey={({ name }) => name}
        rowHeight={53}
        columns={modelColumns(aliasOf)}
        chosen={chosen}
        empty={
          search !== undefined || !isAll ? (
            <Empty title="No such model" />
          ) : (
            <Empty title="There is no model">No account names one.</Empty>
          )
        }
      />
      {open?.act === 'set' && <SetAlias {...dialog} alias={open.alias} />}
      {open?.act === 'remove' && open.alias && <RemoveAlias {...dialog} alias={open.alias} />}
    </Beside>
  )
}
