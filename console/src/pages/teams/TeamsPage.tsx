import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { unknownCell } from '../../format/numbers.ts'
import { LimitBars } from '../../limits/LimitsTable.tsx'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ListCard } from '../../ui/ListCard.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import type { Column } from '../../ui/Table.tsx'
import { type UsageView, usageColumns } from '../../usage/columns.tsx'
import { useMonth } from '../../usage/range.ts'
import { AddTeam } from './acts.tsx'
import { Teams, type TeamsQuery } from './operations.generated.ts'
import { TeamCards } from './TeamCards.tsx'

const route = getRouteApi('/teams')

type Team = TeamsQuery['teams']['edges'][number]['node']

/** Which teams are there, what is left of their limits, and what have their keys used? */
export function TeamsPage() {
  const { team: chosen, after } = route.useSearch()
  const navigate = useNavigate({ from: '/teams' })
  const [isAdding, setIsAdding] = useState(false)
  const whyNot = useWhyNot('createTeam')
  const range = useMonth()
  const page = useAnswer(Teams, { ...range, after: after ?? null }, { every: 10_000 })
  useChanges(['TEAMS', 'LIMITS'], page.refresh)
  const { teams, usage } = page.data ?? {}
  // A team without a row in a complete answer has used nothing.
  const rest = isWhole({ ...page, isFormer: false }, 'usage') ? nothing : undefined
  const usageOf = ({ id }: Team) => usage?.rows.find(({ team }) => team === id) ?? rest
  return (
    <>
      <PageHead
        title="Teams"
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setIsAdding(true)}>
            Create a team
          </Button>
        }
      />
      <AnswerNotices page={page} names={{ teams: 'the teams', usage: 'the usage' }} />
      <div className="stack">
        <ListCard
          label="Teams"
          page={page}
          field="teams"
          list={teams}
          rowKey={({ id }) => id}
          columns={[...columns, ...usedColumns(usageOf)]}
          chosen={chosen}
          empty={
            <Empty title="There is no team">
              Keys of a team share its limits and its models. Create one here, or in the
              configuration file.
            </Empty>
          }
          after={after}
          onPage={(after) => void navigate({ search: { after } })}
        />
        {chosen !== undefined && <TeamCards id={chosen} onDone={page.refresh} />}
      </div>
      {isAdding && <AddTeam onClose={() => setIsAdding(false)} onDone={page.refresh} />}
    </>
  )
}

const nothing: UsageView = {
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

const columns: readonly Column<Team>[] = [
  {
    id: 'team',
    head: 'Team',
    isHead: true,
    cell: ({ id, name }) => (
      <>
        <Link
          from="/teams"
          to="/teams"
          search={({ after }) => ({ ...(after && { after }), team: id })}
          resetScroll={false}
          className="mono quiet-link wrap-anywhere"
        >
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
    cell: ({ models, problem }) => (
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
  {
    id: 'limits',
    head: 'Limits',
    isWide: true,
    width: '34%',
    cell: ({ limits }) => <LimitBars limits={limits} />,
  },
]

/** What keys of a team have used in 30 days; its tokens are on the page Usage. */
function usedColumns(usageOf: (team: Team) => UsageView | undefined): readonly Column<Team>[] {
  return usageColumns<UsageView>()
    .filter(({ id }) => !['input', 'output'].includes(id))
    .map(({ cell, head, id, ...rest }) => ({
      ...rest,
      id,
      head: id === 'calls' ? 'Calls of 30 days' : head,
      cell: (team: Team) => {
        const usage = usageOf(team)
        return usage ? cell(usage) : unknownCell
      },
    }))
}
