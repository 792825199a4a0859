import { clock, dateText, utc } from '../../format/time.ts'
import { AccountLink, KeyLink, ModelLink, TeamLink } from '../../ui/links.tsx'
import type { Dimension } from './search.ts'
import type { UsageQuery } from './operations.generated.ts'

/** The usage of a row. */
export type UsageRow = NonNullable<UsageQuery['usage']>['rows'][number]

type Line = 'KEY' | 'TEAM' | 'MODEL' | 'ACCOUNT'

/** What the lines of the chart are of: time has one line. */
export function linesBy(by: Dimension): Line[] {
  return by === 'DAY' || by === 'HOUR' ? [] : [by]
}

/** What a row is of, with a link to its page. */
export function NameOfRow({ row, by }: { readonly row: UsageRow; readonly by: Dimension }) {
  // The row says of what it is: after a change of the page, it is still of the former choice.
  const { key, team, model, account, start } = row
  if (start) return <span title={utc(start)}>{by === 'DAY' ? dateText(start) : clock(start)}</span>
  if (key) return <KeyLink id={key} isHead />
  if (account) return <AccountLink id={account} isHead />
  if (team) return <TeamLink id={team} isHead />
  if (model) return <ModelLink id={model} isHead />
  return <span className="muted">{unnamed(by)}</span>
}

/** What calls are that have no name of a dimension. */
export function unnamed(by: Dimension): string {
  if (by === 'ACCOUNT') return 'no account asked'
  return by === 'DAY' || by === 'HOUR' ? 'all' : `no ${by.toLowerCase()}`
}

/** The rows as a file: its head and its lines. */
export function csvOf(
  by: Dimension,
  rows: readonly UsageRow[],
): [head: string[], lines: (string | number | null)[][]] {
  const head = [by.toLowerCase(), ...counts, 'cost']
  return [
    head,
    rows.map((row) => [
      row.start ?? row.key ?? row.team ?? row.model ?? row.account ?? '',
      ...counts.map((name) => row[name]),
      row.cost,
    ]),
  ]
}

const counts = [
  'calls',
  'failures',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'unpricedCalls',
  'estimatedCalls',
  'lostCalls',
] as const
