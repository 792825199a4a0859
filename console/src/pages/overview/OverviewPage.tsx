import { useState } from 'react'

import { troubleOf } from '../../accounts/counts.ts'
import { byTrouble, isInTrouble } from '../../accounts/looks.ts'
import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { counted } from '../../format/numbers.ts'
import { AnswerNotices, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { AccountsCard } from './AccountsCard.tsx'
import { causesOf, causesOfModels } from './causes.tsx'
import { ErrorsCard } from './ErrorsCard.tsx'
import { FirstRun } from './FirstRun.tsx'
import { Overview, type OverviewQuery } from './operations.generated.ts'
import { ProcessesCard } from './ProcessesCard.tsx'
import { PulseFigures } from './PulseFigures.tsx'
import { SpendCard } from './SpendCard.tsx'
import type { OverviewAccount, OverviewGateway } from './types.ts'
import { Verdict, type VerdictFacts } from './Verdict.tsx'

const names = {
  accounts: 'the accounts',
  keys: 'the keys',
  inTrouble: 'the accounts in trouble',
  pulse: 'the figures',
  recent: 'the last errors',
  lastCall: 'the last call',
  minute: 'the figures',
  unavailable: 'the models that are not served',
  gateway: 'the processes',
}

/** Does it serve, how much is going on, and what needs attention. */
export function OverviewPage() {
  const page = useAnswer(Overview, {}, { every: 5_000 })
  useChanges(['ACCOUNTS', 'CIRCUITS', 'CONFIGURATION'], page.refresh)
  const { data, isLoading } = page
  const isKnown = ['accounts', 'inTrouble', 'unavailable'].every((field) => isWhole(page, field))
  const accounts = data && accountsOf(data)
  const hasAccount = (data?.accounts.totalCount ?? 0) > 0
  const hasKey = (data?.keys?.totalCount ?? 0) > 0
  const hasCall = (data?.lastCall.edges.length ?? 0) > 0
  const isEmpty = isWhole(page, 'accounts') && isWhole(page, 'keys') && !(hasAccount && hasKey)
  // A page that has shown the steps keeps them, with their ticks, until its user leaves them.
  const [steps, setSteps] = useState<'none' | 'shown' | 'left'>('none')
  const isFirstRun = isEmpty || (isWhole(page, 'lastCall') && !hasCall)
  if (isFirstRun && steps === 'none') setSteps('shown')
  return (
    <>
      <PageHead
        title="Overview"
        aside={data && <p className="secondary">{factsOf(data.gateway)}</p>}
      />
      <AnswerNotices page={page} names={names} />
      <div className="stack">
        {steps === 'shown' && (
          <FirstRun
            hasAccount={hasAccount}
            hasKey={hasKey}
            hasCall={hasCall}
            onDone={() => setSteps('left')}
          />
        )}
        {!(steps === 'shown' && isEmpty) && (
          <>
            <Verdict
              facts={data && accounts && verdictOf(data, accounts, isKnown)}
              isLoading={isLoading}
            />
            <PulseFigures
              samples={data?.pulse}
              minute={data?.minute[0]}
              isLoading={isLoading}
              isWhole={isWhole(page, 'pulse') && isWhole(page, 'minute')}
            />
            <div className="columns columns-near">
              <AccountsCard
                accounts={accounts}
                total={data?.accounts.totalCount}
                isLoading={isLoading}
                isWhole={isKnown}
              />
              <div className="stack">
                <SpendCard />
                <ErrorsCard
                  errors={data?.recent.edges.map(({ node }) => node)}
                  isLoading={isLoading}
                  isWhole={isWhole(page, 'recent')}
                />
              </div>
            </div>
            <ProcessesCard gateway={data?.gateway} isLoading={isLoading} />
          </>
        )}
      </div>
    </>
  )
}

/** The accounts in trouble, out of however many, and the first of the other accounts. */
function accountsOf({ inTrouble, accounts }: OverviewQuery): readonly OverviewAccount[] {
  const nodes = [...inTrouble.edges, ...accounts.edges].map(({ node }) => node)
  return [...new Map(nodes.map((node) => [node.id, node])).values()].sort(byTrouble)
}

function verdictOf(
  { gateway, unavailable, accounts: counts }: OverviewQuery,
  accounts: readonly OverviewAccount[],
  isKnown: boolean,
): VerdictFacts {
  const models = unavailable.edges.map(({ node }) => node)
  const hasAll =
    !unavailable.pageInfo.hasNextPage &&
    models.every(({ accounts }) => !accounts.pageInfo.hasNextPage)
  const fallen = unavailable.countsByState.find(({ state }) => state === 'UNAVAILABLE')?.count ?? 0
  const served = models.filter(({ standIn }) => standIn).length
  const trouble = troubleOf(counts)
  const listed = accounts.filter(isInTrouble).length
  return {
    causes: causesOf(gateway, accounts, { models, isWhole: isKnown && hasAll }),
    omitted: Math.max(0, trouble.without + trouble.partly - listed),
    unserved: fallen - served,
    ...(isKnown && hasAll && { unservedBy: causesOfModels(models) }),
    isServing: gateway.processes.some(({ ready, stale, draining }) => ready && !stale && !draining),
    accounts: { total: counts.totalCount, ...trouble },
    isWhole: isKnown,
  }
}

function factsOf({ processes, store, version }: OverviewGateway): string {
  return `${counted(processes.length, 'process', 'processes')} · store ${store.kind.toLowerCase()} · version ${version}`
}
