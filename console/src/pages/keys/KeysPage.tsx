import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { keyLook, keyStates } from '../../keys/looks.ts'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Filter } from '../../ui/Select.tsx'
import { State } from '../../ui/State.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { AddKey } from './AddKey.tsx'
import { Keys, type KeysQuery } from './operations.generated.ts'
import type { KeysSearch } from './search.ts'

type KeyRow = NonNullable<KeysQuery['keys']>['edges'][number]['node']

const route = getRouteApi('/keys')

/** Which keys are there, whose are they, and when were they used last? */
export function KeysPage() {
  const { state, team, after } = route.useSearch()
  const navigate = useNavigate({ from: '/keys' })
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>()
  const mayAdd = useMay('admin')
  const filter = { ...(state && { state }), ...(team && { team }) }
  const page = useAnswer(Keys, { filter, after: after ?? null }, { every: 10_000 })
  const { edges, pageInfo } = page.data?.keys ?? {}
  const show = (search: KeysSearch) =>
    void navigate({ search: (former) => ({ ...former, after: undefined, ...search }) })
  return (
    <>
      <PageHead
        title="Keys"
        acts={
          <Button
            kind="main"
            whyNot={mayAdd ? undefined : 'The role admin may create keys.'}
            onClick={() => setIsAdding(true)}
          >
            Create a key
          </Button>
        }
      />
      <div className="filters">
        <Filter
          label="State"
          value={state ?? ''}
          options={['', ...keyStates.map((value) => ({ value, name: keyLook(value).word }))]}
          onChange={(value) => show({ state: keyStates.find((one) => one === value) })}
        />
        <input
          className="input"
          type="search"
          data-search
          aria-label="Team"
          placeholder="Team"
          value={team ?? ''}
          onChange={({ target }) => show({ team: target.value || undefined })}
        />
      </div>
      <AnswerNotices page={page} names={{ keys: 'the keys' }} />
      <Card isFlush>
        <Table
          label="Keys"
          rows={edges?.map(({ node }) => node)}
          rowKey={({ id }) => id}
          columns={columns}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'keys') && !pageInfo?.hasNextPage}
          empty={
            state || team ? (
              <Empty title="No such key">No key has this state and this team.</Empty>
            ) : (
              <Empty title="There is no key">
                Clients call the gateway with a key. Create one here, or in the configuration file.
              </Empty>
            )
          }
        />
        <Pager
          after={after}
          next={pageInfo?.hasNextPage ? pageInfo.endCursor : undefined}
          onPage={(after) => show({ after })}
        />
      </Card>
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
        />
      )}
    </>
  )
}

const columns: readonly Column<KeyRow>[] = [
  {
    id: 'key',
    head: 'Key',
    isHead: true,
    cell: ({ id, labels }) => (
      <>
        <Link to="/keys/$id" params={{ id }} className="mono quiet-link wrap-anywhere">
          {id}
        </Link>
        <p className="secondary">{labels.map(({ name, value }) => `${name}=${value}`).join(' ')}</p>
      </>
    ),
  },
  {
    id: 'state',
    head: 'State',
    cell: ({ state, stateReason, problem }) => (
      <>
        <State look={keyLook(state)} />
        <p className="secondary">{problem ?? stateReason}</p>
      </>
    ),
  },
  {
    id: 'team',
    head: 'Team',
    cell: ({ team }) =>
      team ? (
        <Link to="/teams" search={{ team }} className="link mono">
          {team}
        </Link>
      ) : (
        <span className="muted">none</span>
      ),
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
    id: 'expires',
    head: 'Expires',
    isWide: true,
    cell: ({ expiresAt }) =>
      expiresAt ? <Time at={expiresAt} /> : <span className="muted">never</span>,
  },
  {
    id: 'used',
    head: 'Last used',
    isNumber: true,
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">never</span>,
  },
]
