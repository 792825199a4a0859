import { standby } from '../../accounts/looks.ts'
import { sentence } from '../../format/words.ts'
import { share, unknownCell } from '../../format/numbers.ts'
import { Bars, Meter } from '../../ui/Bars.tsx'
import { Card } from '../../ui/Card.tsx'
import { KeyLink, ModelLink } from '../../ui/links.tsx'
import { AnswerNotices } from '../../ui/Notice.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Countdown } from '../../ui/Time.tsx'
import type { ChoiceAnswer, ModelChoice } from './choice.ts'
import type { OneAccount } from './types.ts'

const serving = { word: 'Serving', shape: 'dot', tone: 'ok' } as const
const without = { word: 'No calls', shape: 'cross', tone: 'bad' } as const

/** Six models are asked for in one operation, each by a letter. */
const fieldNames = Object.fromEntries(
  ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 'who is chosen for its models']),
)

/** Which models the account serves, for which it is the first choice, and who else has them. */
export function ModelsCard({
  account,
  choice: { choices, whyNot, page },
}: {
  readonly account: OneAccount
  readonly choice: ChoiceAnswer
}) {
  if (account.models.length === 0) return null
  if (!choices)
    return (
      <Card title="Models">
        <AnswerNotices page={page} names={fieldNames} />
        <p className="mono wrap-anywhere">{leftNames(account, [])}</p>
        <p className="secondary">
          {whyNot !== undefined &&
            `Whether it is the first choice for them is not known. ${whyNot}`}
        </p>
        {whyNot === undefined && page.isLoading && <Bars lines={1} />}
      </Card>
    )
  const { keyId, dialect, models } = choices
  const left = leftNames(account, models)
  return (
    <Card
      isFlush
      title="Models"
      aside={
        <>
          asked as key <KeyLink id={keyId} /> in {dialect}
        </>
      }
    >
      <AnswerNotices page={page} names={fieldNames} />
      <Table
        label="Models"
        rows={models}
        rowKey={({ name }) => name}
        columns={[
          {
            id: 'name',
            head: 'Clients name it',
            isHead: true,
            cell: ({ name }) => <ModelLink id={name} isHead />,
          },
          {
            id: 'own',
            head: 'The account’s name',
            isWide: true,
            cell: ({ upstreamModel }) => (
              <span className="mono muted wrap-anywhere">{upstreamModel ?? unknownCell}</span>
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
      {left !== '' && (
        <p className="table-note secondary">
          Not asked for: <span className="mono">{left}</span>
        </p>
      )}
    </Card>
  )
}

function ModelState({ model: { why, until, chance } }: { readonly model: ModelChoice }) {
  if (why === undefined) return <State look={chance > 0 ? serving : standby} />
  return (
    <>
      <State look={without} />
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
