import { Link } from '@tanstack/react-router'

import { sentence } from '../../format/words.ts'
import { share } from '../../format/numbers.ts'
import { Bars, Meter } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Countdown } from '../../ui/Time.tsx'
import type { AccountChoices, ModelChoice } from './choice.ts'
import type { OneAccount } from './types.ts'

const serving = { word: 'Serving', shape: 'dot', tone: 'ok' } as const
const kept = { word: 'Kept out', shape: 'cross', tone: 'bad' } as const

/** Which models the account serves, for which it is the first choice, and who else has them. */
export function ModelsCard({
  account,
  choices,
}: {
  readonly account: OneAccount
  readonly choices: AccountChoices | undefined
}) {
  if (account.models.length === 0) return null
  if (!choices)
    return (
      <Card title="Models">
        <p className="mono wrap-anywhere">{account.models.join(', ')}</p>
        <Bars lines={1} />
      </Card>
    )
  const { keyId, dialect, models, left } = choices
  return (
    <Card
      isFlush
      title="Models"
      aside={
        <>
          asked as key <span className="mono">{keyId}</span> in {dialect}
        </>
      }
    >
      <Table
        label="Models"
        rows={models}
        rowKey={({ name }) => name}
        columns={[
          {
            id: 'name',
            head: 'Clients name it',
            isHead: true,
            cell: ({ name }) => (
              <Link
                to="/models"
                search={{ search: name } as never}
                className="mono quiet-link wrap-anywhere"
              >
                {name}
              </Link>
            ),
          },
          {
            id: 'own',
            head: 'The account’s name',
            isWide: true,
            cell: ({ upstreamModel }) => (
              <span className="mono muted wrap-anywhere">{upstreamModel ?? '–'}</span>
            ),
          },
          { id: 'state', head: 'State', cell: (model) => <ModelState model={model} /> },
          {
            id: 'chance',
            head: 'First choice',
            isWide: true,
            cell: ({ chance }) => (
              <span className="nowrap">
                <Meter value={chance} most={1} tone="accent" /> {share(chance, 1)}
              </span>
            ),
          },
          {
            id: 'others',
            head: 'Who else',
            isWide: true,
            cell: ({ others }) =>
              others.length === 0 ? (
                <span className="muted">nobody</span>
              ) : (
                <span className="mono wrap-anywhere">
                  {others
                    .slice(0, 3)
                    .map(({ id, chance }) => (chance > 0 ? `${id} ${share(chance, 1)}` : id))
                    .join(', ')}
                </span>
              ),
          },
        ]}
      />
      {left > 0 && (
        <p className="table-note secondary">
          Not asked for: <span className="mono">{leftNames(account, models)}</span>
        </p>
      )}
    </Card>
  )
}

function ModelState({ model: { why, until } }: { readonly model: ModelChoice }) {
  if (why === undefined) return <State look={serving} />
  return (
    <>
      <State look={kept} />
      <p className="secondary">
        {sentence(why)}
        {until && (
          <>
            {' '}
            Tried again in <Countdown until={until} />.
          </>
        )}
      </p>
    </>
  )
}

function leftNames({ models }: OneAccount, asked: readonly ModelChoice[]): string {
  const names = models.filter((name) => !asked.some((one) => one.name === name))
  return names.length > 12
    ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more`
    : names.join(', ')
}
