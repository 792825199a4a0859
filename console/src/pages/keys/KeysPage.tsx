import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { textsOf } from '../../app/search-texts.ts'
import { SetUp } from '../../clients/SetUp.tsx'
import { sentence } from '../../format/words.ts'
import { keyLook, keyStates } from '../../keys/looks.ts'
import { LimitBars } from '../../limits/LimitsTable.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { KeyLink, TeamLink } from '../../ui/links.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Filter } from '../../ui/Select.tsx'
import { State } from '../../ui/State.tsx'
import type { Column } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { AddKey } from './AddKey.tsx'
import { Keys, type KeysQuery } from './operations.generated.ts'
import type { KeysSearch } from './search.ts'

type KeyRow = NonNullable<KeysQuery['keys']>['edges'][number]['node']

const route = getRouteApi('/keys')

const fields = [
  ['search', 'Id or label'],
  ['team', 'Team'],
] as const

const names = fields.map(([name]) => name)

/** Which keys are there, whose are they, what is left of their limits, and when were they used last? */
export function KeysPage() {
  const search = route.useSearch()
  const { state, after } = search
  const navigate = useNavigate({ from: '/keys' })
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>()
  const whyNot = useWhyNot('createKey')
  const filter = { ...(state && { state }), ...textsOf({ ...search }, names) }
  const page = useAnswer(Keys, { filter, after: after ?? null }, { every: 10_000 })
  useChanges(['KEYS', 'TEAMS'], page.refresh)
  const counts = page.data?.keys?.countsByState
  const show = (search: KeysSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...search }) })
  return (
    <>
      <PageHead
        title="Keys"
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setIsAdding(true)}>
            Create a key
          </Button>
        }
      />
      <Filters active={Object.keys(filter).length}>
        <Filter
          label="State"
          value={state ?? ''}
          options={['', ...keyStates.map((value) => ({ value, name: stateName(value, counts) }))]}
          onChange={(value) => show({ state: keyStates.find((one) => one === value) })}
        />
        <FieldFilters fields={fields} values={search} onChange={show} />
      </Filters>
      <AnswerNotices page={page} names={{ keys: 'the keys' }} />
      <ListCard
        label="Keys"
        page={page}
        field="keys"
        list={page.data?.keys}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title="No such key">No key has all of these.</Empty>
          ) : (
            <Empty title="There is no key">
              Clients call the gateway with a key. Create one here, or in the configuration file.
            </Empty>
          )
        }
        after={after}
        onPage={(after) => show({ after })}
      />
      {isAdding && (
        <AddKey
          onClose={() => setIsAdding(false)}
          onSecret={(made) => {
            setMade(made)
            page.refresh()
          }}
        />
      )}
      {made && (
        <SecretDialog
          title={`The secret of ${made.id}`}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        >
          <SetUp />
        </SecretDialog>
      )}
    </>
  )
}

/** `Active 12`, once it is known how many there are. */
function stateName(
  state: KeyRow['state'],
  counts: NonNullable<KeysQuery['keys']>['countsByState'] | undefined,
): string {
  const { word } = keyLook(state)
  return counts ? `${word} ${counts.find((one) => one.state === state)?.count ?? 0}` : word
}

const columns: readonly Column<KeyRow>[] = [
  {
    id: 'key',
    head: 'Key',
    isHead: true,
    cell: ({ id, labels }) => (
      <>
        <KeyLink id={id} isHead />
        <p className="secondary wrap-anywhere">
          {labels.map(({ name, value }) => `${name}=${value}`).join(' ')}
        </p>
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: '20%',
    cell: ({ state, stateReason, problem, expiresAt }) => (
      <>
        <State look={keyLook(state)} />
        <p className="secondary">{sentence(problem ?? stateReason ?? '')}</p>
        {state === 'ACTIVE' && expiresAt && (
          <p className="secondary">
            until <Time at={expiresAt} />
          </p>
        )}
      </>
    ),
  },
  {
    id: 'team',
    head: 'Team',
    isWide: true,
    width: '12%',
    cell: ({ team }) => (team ? <TeamLink id={team} /> : <span className="muted">none</span>),
  },
  {
    id: 'models',
    head: 'Models',
    isWide: true,
    cell: ({ models }) =>
      models ? (
        <span className="mono wrap-anywhere">{models.join(', ')}</span>
      ) : (
        <span className="muted">all</span>
      ),
  },
  {
    id: 'limits',
    head: 'Limits',
    isWide: true,
    width: '34%',
    cell: ({ limits }) => <LimitBars limits={limits} />,
  },
  {
    id: 'used',
    head: 'Last used',
    isNumber: true,
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">never</span>,
  },
]
