import { Link } from '@tanstack/react-router'

import { share, unknownCell } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { State } from '../../ui/State.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Countdown } from '../../ui/Time.tsx'
import { type Alias, type Model, type ModelAccount, modelAccountLook } from './model.ts'

/** The accounts of a model: which of them take its calls, how many, and why not. */
export function ModelAccounts({
  model: { name, accounts },
  alias,
  whyNot,
  onAct,
}: {
  readonly model: Model
  readonly alias: Alias | undefined
  readonly whyNot: string | undefined
  readonly onAct: (act: 'set' | 'remove') => void
}) {
  const whyNotChange =
    alias?.managedBy === 'FILE' ? 'It is in the configuration file: change it there.' : whyNot
  return (
    <Card
      isFlush
      title={<span className="mono">{name}</span>}
      aside={
        <span className="row">
          <Link to="/calls" search={{ show: 'ended', model: name }} className="link">
            Its last calls
          </Link>
          <Link to="/usage" search={{ model: name }} className="link">
            Its usage
          </Link>
          {alias && (
            <>
              <Button isSmall whyNot={whyNotChange} onClick={() => onAct('set')}>
                Change
              </Button>
              <Button isSmall kind="danger" whyNot={whyNotChange} onClick={() => onAct('remove')}>
                Remove
              </Button>
            </>
          )}
        </span>
      }
    >
      {alias && <AliasFacts alias={alias} />}
      <Table
        label={`Accounts of ${name}`}
        rows={accounts.edges.map(({ node }) => node)}
        rowKey={({ accountId }) => accountId}
        columns={columns}
        isWhole={!accounts.pageInfo.hasNextPage}
        empty={<Empty title="No account has it">Its calls get an error of the gateway.</Empty>}
      />
    </Card>
  )
}

function AliasFacts({ alias }: { readonly alias: Alias }) {
  const { model, replyModel, fallbacks, managedBy, changedBy } = alias
  return (
    <div className="card-body">
      <Definition
        items={[
          ['Alias of', <code key="model">{model}</code>],
          [
            'Replies name',
            replyModel === 'CLIENT'
              ? 'the model of the client'
              : replyModel === 'ACCOUNT'
                ? 'the own model of the account'
                : 'as the account says',
          ],
          ...(fallbacks ?? []).map(
            ({ model, on }) =>
              [
                `Falls back to ${model}`,
                `if ${on.map((kind) => kind.toLowerCase().replaceAll('_', ' ')).join(', ')}`,
              ] as const,
          ),
          ['Set by', managedBy === 'FILE' ? 'the configuration file' : (changedBy ?? null)],
        ]}
      />
    </div>
  )
}

const columns: readonly Column<ModelAccount>[] = [
  {
    id: 'account',
    head: 'Account',
    isHead: true,
    cell: ({ accountId: id, upstreamModel }) => (
      <>
        <Link to="/accounts/$id" params={{ id }} className="mono quiet-link wrap-anywhere">
          {id}
        </Link>
        <p className="secondary mono">{upstreamModel}</p>
      </>
    ),
  },
  {
    id: 'state',
    head: 'Calls of the model',
    cell: (account) => (
      <>
        <State look={modelAccountLook(account)} />
        <p className="secondary">
          {account.reason}
          {account.until && (
            <>
              , for <Countdown until={account.until} />
            </>
          )}
        </p>
      </>
    ),
  },
  {
    id: 'chance',
    head: 'Asked first',
    isNumber: true,
    cell: ({ chance }) =>
      chance === null || chance === undefined ? unknownCell : share(chance, 1),
  },
  {
    id: 'native',
    head: 'Natively in',
    isWide: true,
    cell: ({ native }) => native.join(', ').toLowerCase() || <span className="muted">none</span>,
  },
  {
    id: 'translated',
    head: 'Translated in',
    isWide: true,
    cell: ({ translated }) =>
      translated.join(', ').toLowerCase() || <span className="muted">none</span>,
  },
]
