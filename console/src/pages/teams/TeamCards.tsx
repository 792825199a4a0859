import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { LimitsCard } from '../../limits/LimitsCard.tsx'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { managerText } from '../../ui/managed.ts'
import { EditTeam, type OneTeam, RemoveTeam } from './acts.tsx'
import { OneTeam as OneTeamQuery } from './operations.generated.ts'

/** One team: its limits, its acts, and where its keys and its usage are. */
export function TeamCards({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const page = useAnswer(OneTeamQuery, { id }, { every: 10_000 })
  const { team, limits } = page.isFormer ? {} : (page.data ?? {})
  const isLoading = page.isLoading || page.isFormer
  const refresh = () => {
    page.refresh()
    onDone()
  }
  return (
    <>
      <AnswerNotices page={page} names={{ team: 'the team', limits: 'its limits' }} />
      {team && <FactsCard team={team} onDone={refresh} />}
      {isLoading && (
        <Card>
          <Bars lines={4} />
        </Card>
      )}
      {team === null && isWhole(page, 'team') && (
        <Card>
          <Empty title={`There is no team ${id}`}>
            It is neither in the configuration nor in the store.
          </Empty>
        </Card>
      )}
      {team && (
        <LimitsCard
          title={`Limits of ${id}`}
          subject={{ type: 'TEAM', id }}
          limits={limits ?? undefined}
          isLoading={isLoading}
          isWhole={isWhole(page, 'limits')}
          onDone={refresh}
        />
      )}
    </>
  )
}

function FactsCard({ team, onDone }: { readonly team: OneTeam; readonly onDone: () => void }) {
  const { id, name, models, managedBy, problem, changedAt, changedBy } = team
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const whyNot = useWhyNot('updateTeam')
  const dialog = { team, onClose: () => setOpen(undefined), onDone }
  return (
    <Card
      title={<span className="mono">{id}</span>}
      aside={
        <span className="row">
          <Link to="/keys" search={{ team: id }} className="link">
            Its keys
          </Link>
          <Link to="/usage" search={{ team: id }} className="link">
            Its usage
          </Link>
          {managedBy === 'STORE' && (
            <>
              <Button isSmall whyNot={whyNot} onClick={() => setOpen('edit')}>
                Change
              </Button>
              <Button isSmall kind="danger" whyNot={whyNot} onClick={() => setOpen('delete')}>
                Delete
              </Button>
            </>
          )}
        </span>
      }
    >
      {problem && <Notice tone="warn">{problem}</Notice>}
      <Definition
        items={[
          ['Name', name ?? 'as its id'],
          ['Models', models ? <span className="mono">{models.join(', ')}</span> : 'all'],
          ['Managed by', managerText(managedBy)],
          !!changedAt && [
            'Changed',
            <span key="changed">
              <Time at={changedAt} /> {changedBy && <span className="muted">by {changedBy}</span>}
            </span>,
          ],
        ]}
      />
      {open === 'edit' && <EditTeam {...dialog} />}
      {open === 'delete' && <RemoveTeam {...dialog} />}
    </Card>
  )
}
