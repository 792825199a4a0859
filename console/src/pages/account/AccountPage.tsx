import { Link, getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { lookOf } from '../../accounts/looks.ts'
import { useLive } from '../../api/live.ts'
import { useAnswer, useRefreshOnEvents } from '../../api/query.ts'
import { useWhyNot, useWhyNotChange } from '../../api/session.ts'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Pill } from '../../ui/State.tsx'
import { type AccountActProps, Delete, Disable, Enable, GateActDialog } from './acts.tsx'
import { ActsCard } from './ActsCard.tsx'
import { CallsCard } from './CallsCard.tsx'
import { ChartsCard } from './ChartsCard.tsx'
import { EditAccount } from './EditAccount.tsx'
import { ModelsCard } from './ModelsCard.tsx'
import { NowCard, SettingsCard } from './FactsCards.tsx'
import { chosenGate, useChoices } from './choice.ts'
import { type GateAct, gatesOf } from './gates.ts'
import { GatesCard } from './GatesCard.tsx'
import { headlineOf } from './headline.ts'
import { OwnedCard } from './OwnedCard.tsx'
import { Account, AccountLive } from './operations.generated.ts'
import { type TestEnd, TestButton, TestNotice } from './TestButton.tsx'
import type { OneAccount } from './types.ts'

const route = getRouteApi('/accounts/$id')

const names = {
  account: 'the account',
  keys: 'the keys',
  recent: 'its last calls',
  audit: 'its last acts',
}

type Open = 'disable' | 'enable' | 'edit' | 'delete' | GateAct

/** Why does this account get calls, only some, or none? */
export function AccountPage() {
  const { id } = route.useParams()
  const page = useAnswer(Account, { id, target: id }, { every: 5_000 })
  const refresh = useRefreshOnEvents(page.refresh)
  useLive(AccountLive, { filter: { accountId: id } }, { onEvents: refresh, onGap: refresh })
  const [open, setOpen] = useState<Open>()
  const [test, setTest] = useState<TestEnd>()
  const navigate = useNavigate()
  const whyNotOperate = useWhyNot('disableAccount')
  const { data, isLoading } = page
  const account = page.isFormer ? undefined : data?.account
  const choice = useChoices(
    account ?? undefined,
    data?.keys?.edges.map(({ node }) => node),
  )
  const isMissing = account === null && isWhole(page, 'account')

  const dialog: AccountActProps | undefined = account
    ? { account, onClose: () => setOpen(undefined), onDone: page.refresh }
    : undefined

  return (
    <>
      <PageHead
        title={id}
        isId
        above={<Link to="/accounts">Accounts</Link>}
        aside={
          account && (
            <>
              <Pill look={lookOf(account)} />
              <span className="secondary">
                {[account.provider, hostOf(account)].filter(Boolean).join(' · ')}
              </span>
            </>
          )
        }
        acts={
          account && (
            <Acts
              account={account}
              whyNotOperate={whyNotOperate}
              onOpen={setOpen}
              onTest={setTest}
            />
          )
        }
      />
      <AnswerNotices page={page} names={names} />
      {test && <TestNotice end={test} />}
      {isMissing && (
        <Card>
          <Empty title="There is no such account">
            It is neither in the configuration file nor in the store. It may have been deleted.
          </Empty>
        </Card>
      )}
      {isLoading && (
        <Card>
          <Bars lines={6} />
        </Card>
      )}
      {account && (
        <div className="stack">
          <div className="columns">
            <div className="stack">
              <GatesCard
                title={headlineOf(account)}
                gates={[...gatesOf(account), chosenGate(account, choice)]}
                whyNot={whyNotOperate}
                onAct={setOpen}
              />
              <ModelsCard account={account} choice={choice} />
            </div>
            <div className="stack">
              <NowCard account={account} />
              <SettingsCard account={account} />
            </div>
          </div>
          <ChartsCard id={id} />
          <CallsCard
            id={id}
            calls={data?.recent.edges.map(({ node }) => node)}
            isLoading={isLoading}
            isWhole={isWhole(page, 'recent')}
          />
          <ActsCard
            id={id}
            acts={data?.audit?.edges.map(({ node }) => node)}
            isLoading={isLoading}
            isWhole={isWhole(page, 'audit')}
          />
          <OwnedCard id={id} />
        </div>
      )}
      {dialog && open === 'disable' && <Disable {...dialog} />}
      {dialog && open === 'enable' && <Enable {...dialog} />}
      {dialog && open === 'edit' && <EditAccount {...dialog} />}
      {dialog && open === 'delete' && (
        <Delete {...dialog} onDone={() => void navigate({ to: '/accounts' })} />
      )}
      {dialog && isGateAct(open) && <GateActDialog {...dialog} act={open} />}
    </>
  )
}

function Acts({
  account: { id, enabled, managedBy },
  whyNotOperate,
  onOpen,
  onTest,
}: {
  readonly account: OneAccount
  readonly whyNotOperate: string | undefined
  readonly onOpen: (open: Open) => void
  readonly onTest: (end: TestEnd | undefined) => void
}) {
  const whyNotChange = useWhyNotChange('updateAccount', managedBy)
  return (
    <>
      <TestButton id={id} whyNot={whyNotOperate} onEnd={onTest} />
      <Button onClick={() => onOpen('edit')} whyNot={whyNotChange}>
        Change
      </Button>
      <Button kind="danger" onClick={() => onOpen('delete')} whyNot={whyNotChange}>
        Delete
      </Button>
      {enabled ? (
        <Button kind="danger" onClick={() => onOpen('disable')} whyNot={whyNotOperate}>
          Disable
        </Button>
      ) : (
        <Button onClick={() => onOpen('enable')} whyNot={whyNotOperate}>
          Enable
        </Button>
      )}
    </>
  )
}

function isGateAct(open: Open | undefined): open is GateAct {
  return open === 'tryNow' || open === 'endPause' || open === 'resetCircuit'
}

function hostOf({ baseUrl }: OneAccount): string | undefined {
  return baseUrl ? URL.parse(baseUrl)?.host : undefined
}
