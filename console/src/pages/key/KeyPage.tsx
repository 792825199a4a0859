import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { keyLook } from '../../keys/looks.ts'
import { InForceLine } from '../../processes/InForceLine.tsx'
import { SetUp } from '../../clients/SetUp.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { LimitsCard } from '../../limits/LimitsCard.tsx'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pill } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { ModelLink } from '../../ui/links.tsx'
import { useMonth } from '../../usage/range.ts'
import { usageColumns } from '../../usage/columns.tsx'
import { Disable, EditKey, Enable, type OneKey, Revoke, Rotate } from './acts.tsx'
import { FactsCard } from './FactsCard.tsx'
import { Key, type KeyQuery } from './operations.generated.ts'

type UsageOfModel = NonNullable<KeyQuery['usage']>['rows'][number]

const route = getRouteApi('/keys/$id')

const names = { key: 'the key', limits: 'its limits', usage: 'its usage' }

type Open = 'disable' | 'enable' | 'revoke' | 'rotate' | 'edit'

/** May this key call, what bounds it, and what has it used? */
export function KeyPage() {
  const { id } = route.useParams()
  const range = useMonth()
  const page = useAnswer(Key, { id, ...range }, { every: 5_000 })
  useChanges(['KEYS', 'LIMITS'], page.refresh)
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const { data, isLoading } = page
  const key = page.isFormer ? undefined : data?.key
  const dialog = key && { apiKey: key, onClose: () => setOpen(undefined), onDone: page.refresh }
  return (
    <>
      <PageHead
        title={id}
        isId
        above={<Link to="/keys">Keys</Link>}
        aside={key && <Pill look={keyLook(key.state)} />}
        acts={key && <Acts apiKey={key} onOpen={setOpen} />}
      />
      <AnswerNotices page={page} names={names} />
      {key?.problem && <Notice tone="bad">{key.problem}</Notice>}
      {key?.managedBy === 'FILE' && (
        <Notice>
          It is in the configuration file: change, rotate and revoke it there. It may be disabled
          here.
        </Notice>
      )}
      {key?.stateReason && <Notice>It is rejected: {key.stateReason}</Notice>}
      {(key?.revokedAt || key?.stateReason?.startsWith('an operator')) && <InForceLine isNotice />}
      {key === null && isWhole(page, 'key') && (
        <Card>
          <Empty title="There is no such key">
            It is neither in the configuration nor in the store.
          </Empty>
        </Card>
      )}
      {isLoading && (
        <Card>
          <Bars lines={6} />
        </Card>
      )}
      {key && (
        <div className="stack">
          <FactsCard apiKey={key} />
          <LimitsCard
            title="Limits"
            subject={{ type: 'KEY', id }}
            limits={data?.limits ?? undefined}
            isLoading={isLoading}
            isWhole={isWhole(page, 'limits')}
            onDone={page.refresh}
          />
          <Card
            isFlush
            title="Usage of 30 days"
            aside={
              <Link to="/usage" search={{ keyId: id }} className="link">
                More
              </Link>
            }
          >
            <Table
              label="Usage by model"
              rows={data?.usage?.rows}
              rowKey={({ model }) => model ?? ''}
              columns={columns}
              isLoading={isLoading}
              isWhole={isWhole(page, 'usage')}
              empty={<Empty title="No call">No call of it has ended in 30 days.</Empty>}
            />
          </Card>
          <p className="secondary row">
            <Link to="/calls" search={{ show: 'ended', keyId: id }} className="link">
              Its last calls
            </Link>
            <Link to="/bindings" search={{ keyId: id }} className="link">
              What it owns
            </Link>
            <Link to="/audit" search={{ action: 'key', target: id }} className="link">
              Acts on it
            </Link>
          </p>
        </div>
      )}
      {dialog && open === 'disable' && <Disable {...dialog} />}
      {dialog && open === 'enable' && <Enable {...dialog} />}
      {dialog && open === 'revoke' && <Revoke {...dialog} />}
      {dialog && open === 'rotate' && <Rotate {...dialog} onSecret={setSecret} />}
      {dialog && open === 'edit' && <EditKey {...dialog} />}
      {secret !== undefined && (
        <SecretDialog
          title={`The new secret of ${id}`}
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <SetUp />
        </SecretDialog>
      )}
    </>
  )
}

const columns = [
  {
    id: 'model',
    head: 'Model',
    isHead: true,
    cell: ({ model }: UsageOfModel) =>
      model ? <ModelLink id={model} isHead /> : <span className="muted">none</span>,
  },
  ...usageColumns<UsageOfModel>(),
]

function Acts({
  apiKey: { state, managedBy },
  onOpen,
}: {
  readonly apiKey: OneKey
  readonly onOpen: (open: Open) => void
}) {
  const whyNot = useWhyNot('disableKey')
  const whyNotChange = useWhyNot('updateKey')
  const isStored = managedBy === 'STORE'
  if (state === 'REVOKED') return null
  return (
    <>
      {isStored && (
        <>
          <Button onClick={() => onOpen('edit')} whyNot={whyNotChange}>
            Change
          </Button>
          <Button onClick={() => onOpen('rotate')} whyNot={whyNotChange}>
            Rotate
          </Button>
        </>
      )}
      {state === 'DISABLED' ? (
        <Button onClick={() => onOpen('enable')} whyNot={whyNot}>
          Enable
        </Button>
      ) : (
        <Button kind="danger" onClick={() => onOpen('disable')} whyNot={whyNot}>
          Disable
        </Button>
      )}
      {isStored && (
        <Button kind="danger" onClick={() => onOpen('revoke')} whyNot={whyNotChange}>
          Revoke
        </Button>
      )}
    </>
  )
}
