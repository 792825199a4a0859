import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { type UsageView, usageColumns } from '../../usage/columns.tsx'
import { useMonth } from '../../usage/range.ts'
import { AddTeam, type OneTeam } from './acts.tsx'
import { Teams } from './operations.generated.ts'
import { TeamCards } from './TeamCards.tsx'

const route = getRouteApi('/teams')

/** Which teams are there, and what have their keys used? */
export function TeamsPage() {
  const { team: chosen, after } = route.useSearch()
  const navigate = useNavigate({ from: '/teams' })
  const range = useMonth()
  const [isAdding, setIsAdding] = useState(false)
  const mayAdd = useMay('admin')
  const page = useAnswer(Teams, { ...range, after: after ?? null }, { every: 10_000 })
  const { edges, pageInfo } = page.data?.teams ?? {}
  const teams = edges?.map(({ node }) => node)
  const usage = page.data?.usage?.rows
  const rows = teams?.map((team) => ({
    team,
    usage: usage && (usage.find((row) => row.team === team.id) ?? none),
  }))
  const one = teams?.find(({ id }) => id === chosen)
  return (
    <>
      <PageHead
        title="Teams"
        acts={
          <Button
            kind="main"
            whyNot={mayAdd ? undefined : 'The role admin may create teams.'}
            onClick={() => setIsAdding(true)}
          >
            Create a team
          </Button>
        }
      />
      <AnswerNotices page={page} names={{ teams: 'the teams', usage: 'the usage' }} />
      <div className="stack">
        <Card isFlush>
          <Table
            label="Teams"
            rows={rows}
            rowKey={({ team }) => team.id}
            columns={columns}
            chosen={chosen}
            isLoading={page.isLoading}
            isWhole={isWhole(page, 'teams')}
            empty={
              <Empty title="There is no team">
                Keys of a team share its limits and its models. Create one here, or in the
                configuration file.
              </Empty>
            }
          />
          <Pager
            after={after}
            next={pageInfo?.hasNextPage ? pageInfo.endCursor : undefined}
            onPage={(after) => void navigate({ search: { after } })}
          />
        </Card>
        {one && <TeamCards team={one} onDone={page.refresh} />}
        {chosen !== undefined && !one && isWhole(page, 'teams') && (
          <Card>
            <Empty title={`The team ${chosen} is not on this page`} />
          </Card>
        )}
      </div>
      {isAdding && <AddTeam onClose={() => setIsAdding(false)} onDone={page.refresh} />}
    </>
  )
}

interface TeamRow {
  readonly team: OneTeam
  /** Undefined: not known. */
  readonly usage: UsageView | undefined
}

/** A team without a row in a complete answer has used nothing. */
const none: UsageView = {
  calls: 0,
  failures: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  cost: '0',
  unpricedCalls: 0,
  estimatedCalls: 0,
  lostCalls: 0,
}

const columns: readonly Column<TeamRow>[] = [
  {
    id: 'team',
    head: 'Team',
    isHead: true,
    cell: ({ team: { id, name } }) => (
      <>
        <Link to="/teams" search={{ team: id }} className="mono quiet-link wrap-anywhere">
          {id}
        </Link>
        <p className="secondary">{name}</p>
      </>
    ),
  },
  {
    id: 'models',
    head: 'Models',
    isWide: true,
    cell: ({ team: { models, problem } }) => (
      <>
        {models ? (
          <span className="mono wrap-anywhere">{models.join(', ')}</span>
        ) : (
          <span className="muted">all</span>
        )}
        <p className="secondary">{problem}</p>
      </>
    ),
  },
  ...usageColumns<UsageView>().map(({ cell, head, id, ...rest }) => ({
    ...rest,
    id,
    head: id === 'calls' ? 'Calls of 30 days' : head,
    cell: ({ usage }: TeamRow) => (usage ? cell(usage) : '–'),
  })),
]
