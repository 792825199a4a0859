import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { AccountWhy } from '../../accounts/AccountWhy.tsx'
import { troubleOf } from '../../accounts/counts.ts'
import { byTrouble, isInTrouble } from '../../accounts/looks.ts'
import { useAllPages } from '../../api/all-pages.ts'
import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { count } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Filters } from '../../ui/Filters.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { Table } from '../../ui/Table.tsx'
import { accountColumns } from './account-columns.tsx'
import { AddAccount } from './AddAccount.tsx'
import { Accounts, AccountsInTrouble } from './operations.generated.ts'
import type { AccountRow } from './row.ts'

const route = getRouteApi('/accounts')

/** Which accounts are there, which of them do not serve, and why. */
export function AccountsPage() {
  const { show, search = '' } = route.useSearch()
  const navigate = useNavigate({ from: '/accounts' })
  const [isAdding, setIsAdding] = useState(false)
  const whyNot = useWhyNot('createAccount')
  const page = useAllPages(Accounts, {}, ({ accounts }) => accounts, { every: 5_000 })
  const { nodes, first, pages = 1, hasMore = false } = page.data ?? {}
  useChanges(['ACCOUNTS', 'CIRCUITS'], page.refresh, 1_000 * pages)
  // The accounts in trouble come first, out of however many.
  const troubled = useAnswer(AccountsInTrouble, {}, { isOn: hasMore, every: 5_000 })
  const all =
    nodes &&
    withFirst(
      troubled.data?.inTrouble.edges.map(({ node }) => node),
      nodes,
    )
  const rows = all
    ?.filter((one) => show !== 'trouble' || isInTrouble(one))
    .filter((one) => has(one, search.trim().toLowerCase()))
    .sort(byTrouble)
  const counts = first && troubleOf(first.accounts)

  return (
    <>
      <PageHead
        title="Accounts"
        acts={
          <Button kind="main" onClick={() => setIsAdding(true)} whyNot={whyNot}>
            Add an account
          </Button>
        }
      />
      <Filters
        main={
          <>
            <Switch
              label="Which accounts"
              value={show ?? 'all'}
              onChange={(value) =>
                void navigate({
                  search: (former) => ({ ...former, show: value === 'all' ? undefined : value }),
                })
              }
              options={[
                { value: 'all', name: 'All', count: first?.accounts.totalCount },
                {
                  value: 'trouble',
                  name: 'In trouble',
                  count: counts && counts.without + counts.partly,
                },
              ]}
            />
            <input
              className="input"
              type="search"
              data-search
              aria-label="Account, provider or model"
              placeholder="Account, provider or model"
              value={search}
              onChange={(event) =>
                void navigate({
                  replace: true,
                  search: (former) => ({ ...former, search: event.target.value || undefined }),
                })
              }
            />
          </>
        }
      />
      <AnswerNotices page={page} names={{ accounts: 'the accounts' }} />
      {hasMore && (
        <AnswerNotices page={troubled} names={{ inTrouble: 'the accounts in trouble' }} />
      )}
      {hasMore && first && (
        <Notice>
          Shown are the first {count(nodes?.length ?? 0)} accounts by their ids, of{' '}
          {count(first.accounts.totalCount)}, and the first 100 in trouble.
        </Notice>
      )}
      <Card isFlush>
        <Table
          label="Accounts"
          rows={rows}
          rowKey={({ id }) => id}
          rowHeight={56}
          columns={accountColumns}
          below={(account) =>
            account.serves !== 'ALL' && (
              <p className="secondary">
                <AccountWhy account={account} />
              </p>
            )
          }
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'accounts') && (!hasMore || isWhole(troubled, 'inTrouble'))}
          empty={
            <NoAccounts
              hasAny={(all?.length ?? 0) > 0}
              isTrouble={show === 'trouble' && search === ''}
            />
          }
        />
      </Card>
      <p className="secondary wide accounts-note">
        Calls go to the accounts of the lowest priority that can serve them, which share them by
        weight.
      </p>
      {isAdding && <AddAccount onClose={() => setIsAdding(false)} onDone={page.refresh} />}
    </>
  )
}

/** The rows, and before them others that they may lack. */
function withFirst(first: readonly AccountRow[] = [], rows: readonly AccountRow[]): AccountRow[] {
  return [...new Map([...first, ...rows].map((one) => [one.id, one])).values()]
}

function NoAccounts({
  hasAny,
  isTrouble,
}: {
  readonly hasAny: boolean
  readonly isTrouble: boolean
}) {
  if (isTrouble && hasAny)
    return (
      <Empty title="No account is in trouble">
        All that are not disabled serve all their calls.
      </Empty>
    )
  if (hasAny)
    return (
      <Empty title="No such account">No account, provider or model has this in its name.</Empty>
    )
  return (
    <Empty title="There is no account">
      An account is a credential at a provider. Without one, no call can be served: add one here, or
      in the configuration file.
    </Empty>
  )
}

function has({ id, provider, models }: AccountRow, text: string): boolean {
  return text === '' || [id, provider, ...models].some((name) => name.toLowerCase().includes(text))
}
