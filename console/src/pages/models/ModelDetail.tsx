import { Link } from '@tanstack/react-router'

import { useWhyNotChange } from '../../api/session.ts'
import { share, unknownCell } from '../../format/numbers.ts'
import { dateText } from '../../format/time.ts'
import { sentence } from '../../format/words.ts'
import { Bars } from '../../ui/Bars.tsx'
import { Button } from '../../ui/Button.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { AccountLink } from '../../ui/links.tsx'
import { Pill, State } from '../../ui/State.tsx'
import { Countdown } from '../../ui/Time.tsx'
import {
  type Alias,
  type ModelAccount,
  type OpenModel,
  fallbackKinds,
  modelAccountLook,
  modelLook,
} from './model.ts'
import './models.css'
import { strategies } from './model-columns.tsx'
import { priceText } from './prices.ts'

/** One model: what its name stands for, and which of its accounts take its calls, how many, and why not. */
export function ModelDetail({
  name,
  model,
  alias,
  isLoading,
  isMissing,
  onAct,
}: {
  readonly name: string
  readonly model: OpenModel | undefined
  readonly alias: Alias | undefined
  readonly isLoading: boolean
  readonly isMissing: boolean
  readonly onAct: (act: 'set' | 'remove') => void
}) {
  const whyNot = useWhyNotChange('setAlias', alias?.managedBy)
  const accounts = model?.all.edges.map(({ node }) => node)
  return (
    <div className="model">
      <div className="row">
        <h2 className="mono wrap-anywhere">{name}</h2>
        {model && <Pill look={modelLook(model)} />}
      </div>
      {isLoading && !model && <Bars lines={5} />}
      {isMissing && !isLoading && (
        <Empty title="No account and no alias names it">
          A pattern of an account may take it: Explain says it for a call.
        </Empty>
      )}
      {model && (
        <p className="secondary row">
          <Link to="/calls" search={{ show: 'ended', model: name }} className="link">
            Its last calls
          </Link>
          <Link to="/usage" search={{ model: name }} className="link">
            Its usage
          </Link>
          <Link to="/explain" search={{ model: name }} className="link">
            Explain a call
          </Link>
        </p>
      )}
      {alias && <AliasFacts alias={alias} />}
      {alias && (
        <div className="row">
          <Button isSmall whyNot={whyNot} onClick={() => onAct('set')}>
            Change
          </Button>
          <Button isSmall kind="danger" whyNot={whyNot} onClick={() => onAct('remove')}>
            Remove
          </Button>
        </div>
      )}
      {accounts && (
        <ul className="model-accounts" aria-label={`Accounts of ${name}`}>
          {accounts.map((account) => (
            <AccountOfModel key={account.accountId} account={account} />
          ))}
        </ul>
      )}
      {accounts?.length === 0 && (
        <Empty title="No account has it">Its calls get an error of the gateway.</Empty>
      )}
      {model?.all.pageInfo.hasNextPage && (
        <p className="secondary">And more accounts: these are the first hundred.</p>
      )}
    </div>
  )
}

function AccountOfModel({ account }: { readonly account: ModelAccount }) {
  const { accountId, reason, until, chance, native, translated, upstreamModel, price } = account
  return (
    <li>
      <div className="row">
        <AccountLink id={accountId} /> <State look={modelAccountLook(account)} />
      </div>
      {reason && (
        <p>
          {sentence(reason)}
          {until && (
            <span className="nowrap">
              {' '}
              Tried again in <Countdown until={until} />.
            </span>
          )}
        </p>
      )}
      <Definition
        items={[
          !!upstreamModel && ['Its own name', <code key="own">{upstreamModel}</code>],
          ['Asked first', chance === null || chance === undefined ? unknownCell : share(chance, 1)],
          [
            'Million tokens in, out',
            <span key="price">
              {priceText(price) ?? <span className="share-much">no price</span>}
              {price?.checkedAt && (
                <span className="muted"> checked {dateText(price.checkedAt)}</span>
              )}
            </span>,
          ],
          ['Natively in', dialectsOf(native)],
          ['Translated in', dialectsOf(translated)],
        ]}
      />
    </li>
  )
}

function dialectsOf(names: readonly string[]): string {
  return names.join(', ').toLowerCase() || 'none'
}

function AliasFacts({ alias }: { readonly alias: Alias }) {
  const { model, replyModel, strategy, fallbacks, managedBy, changedBy, problem } = alias
  return (
    <Definition
      items={[
        !!problem && ['Problem', problem],
        ['Alias of', <code key="model">{model}</code>],
        ['Account chosen by', strategy ? strategies[strategy] : 'priority and weight'],
        [
          'Model in replies',
          replyModel === 'CLIENT'
            ? 'as the client named it'
            : replyModel === 'ACCOUNT'
              ? 'as the account names it'
              : 'as each account is set up',
        ],
        ...(fallbacks ?? []).map(
          ({ model, on }) =>
            [
              `Falls back to ${model}`,
              `if ${on.map((kind) => fallbackKinds[kind]).join(', or ')}`,
            ] as const,
        ),
        ['Set by', managedBy === 'FILE' ? 'the configuration file' : (changedBy ?? null)],
      ]}
    />
  )
}
