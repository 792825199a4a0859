import { duration } from '../format/durations.ts'
import { money } from '../format/money.ts'
import { Definition } from '../ui/Definition.tsx'
import { AccountLink, KeyLink } from '../ui/links.tsx'
import { Time } from '../ui/Time.tsx'
import { faultText } from './call.ts'
import type { CallQuery } from './operations.generated.ts'

type Row = NonNullable<CallQuery['exchange']>['ledger'][number]

/** What the ledger keeps of each attempt for 30 days: it is all that is known of older calls. */
export function LedgerPart({
  rows,
  hasDetail,
}: {
  readonly rows: readonly Row[]
  readonly hasDetail: boolean
}) {
  if (rows.length === 0) return null
  return (
    <section>
      <h3>Ledger</h3>
      {rows.map((row) => (
        <Definition
          key={row.attempt}
          items={hasDetail ? costs(row) : [...facts(row), ...costs(row)]}
        />
      ))}
    </section>
  )
}

type Item = readonly [string, React.ReactNode]

function facts(row: Row): Item[] {
  const { at, keyId, requestedModel, upstreamModel, dialect, outcome, fault, error, ms } = row
  return [
    ['Ended', <Time key="at" at={at} />],
    ['API key', keyId ? <KeyLink key="key" id={keyId} /> : 'none'],
    ['Asked for', requestedModel],
    ['Its own name', upstreamModel],
    ['Dialect of the account', dialect],
    ['Outcome', [outcome.toLowerCase(), error, faultText(fault)].filter(Boolean).join(', ')],
    ['Time of the attempt', duration(ms)],
  ]
}

function costs({ attempt, accountId, cost, uncosted, usage, tier, tokens }: Row): Item[] {
  const classes = Object.entries((tokens ?? {}) as Record<string, unknown>)
  return [
    [`Attempt ${attempt}`, <AccountLink key="account" id={accountId} />],
    [
      'Cost',
      cost === null || cost === undefined
        ? `unknown${uncosted ? `: ${uncosted.toLowerCase().replaceAll('_', ' ')}` : ''}`
        : `${money(cost)}, ${usages[usage]}`,
    ],
    ...(tier ? ([['Tier', tier]] as const) : []),
    ...(classes.length > 0
      ? ([
          [
            'Tokens',
            classes
              .map(
                ([name, value]) =>
                  `${classText(name)} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
              )
              .join(', '),
          ],
        ] as const)
      : []),
  ]
}

const usages = {
  REPORTED: 'reported',
  ESTIMATED: 'estimated',
  UNKNOWN: 'of unknown tokens',
  NONE: 'no tokens used',
} as const

/** A class of tokens: `cacheWriteTokens` as `cache write`. */
function classText(name: string): string {
  return name.replace(/Tokens$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
