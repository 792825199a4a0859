import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { useAnswer } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { LimitsCard } from '../../limits/LimitsCard.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { EditTeam, type OneTeam, RemoveTeam } from './acts.tsx'
import { TeamLimits } from './operations.generated.ts'

/** One team: its limits, its acts, and where its keys and its usage are. */
export function TeamCards({
  team,
  onDone,
}: {
  readonly team: OneTeam
  readonly onDone: () => void
}) {
  const { id, name, models, managedBy, changedAt, changedBy } = team
  const page = useAnswer(TeamLimits, { id }, { every: 10_000 })
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const mayChange = useMay('admin')
  const whyNot =
    managedBy === 'FILE'
      ? 'It is in the configuration file: change it there.'
      : mayChange
        ? undefined
        : 'The role admin may do this.'
  const dialog = { team, onClose: () => setOpen(undefined), onDone }
  return (
    <>
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
            <Button isSmall whyNot={whyNot} onClick={() => setOpen('edit')}>
              Change
            </Button>
            <Button isSmall kind="danger" whyNot={whyNot} onClick={() => setOpen('delete')}>
              Delete
            </Button>
          </span>
        }
      >
        <Definition
          items={[
            ['Name', name ?? 'as its id'],
            ['Models', models ? <span className="mono">{models.join(', ')}</span> : 'all'],
            ['Managed by', managedBy === 'FILE' ? 'the configuration file' : 'the store'],
            !!changedAt && [
              'Changed',
              <span key="changed">
                <Time at={changedAt} /> {changedBy && <span className="muted">by {changedBy}</span>}
              </span>,
            ],
          ]}
        />
      </Card>
      <AnswerNotices page={page} names={{ limits: 'its limits' }} />
      <LimitsCard
        title={`Limits of ${id}`}
        subject={{ type: 'TEAM', id }}
        limits={page.isFormer ? undefined : (page.data?.limits ?? undefined)}
        isLoading={page.isLoading || page.isFormer}
        isWhole={isWhole(page, 'limits')}
        onDone={page.refresh}
      />
      {open === 'edit' && <EditTeam {...dialog} />}
      {open === 'delete' && <RemoveTeam {...dialog} />}
    </>
  )
}
