import { money } from '../format/money.ts'
import { count, counted, share, unknownCell } from '../format/numbers.ts'
import type { Column } from '../ui/Table.tsx'

/** What the console shows of the usage of some calls. */
export interface UsageView {
  readonly calls: number
  readonly failures: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  /** US dollars, without the attempts of `unpricedCalls`. */
  readonly cost: string
  readonly unpricedCalls: number
  readonly estimatedCalls: number
  readonly lostCalls: number
}

/** A cost as far as it is known: a dash where no part of it is. */
export function costText({ cost, unpricedCalls }: UsageView): string {
  return Number(cost) === 0 && unpricedCalls > 0 ? unknownCell : money(cost)
}

/** What the sums lack or guess, with shares of all attempts: `3 attempts (0.8 %) of unknown cost, 2 attempts (0.5 %) estimated`. */
export function caveats(
  { unpricedCalls, estimatedCalls, lostCalls }: UsageView,
  attempts?: number,
): string {
  const some = (value: number) => {
    const part = attempts === undefined ? undefined : share(value, attempts)
    return `${counted(value, 'attempt')}${part === undefined ? '' : ` (${part})`}`
  }
  const words = [
    unpricedCalls > 0 && `${some(unpricedCalls)} of unknown cost`,
    estimatedCalls > 0 && `${some(estimatedCalls)} estimated`,
    lostCalls > 0 && `${counted(lostCalls, 'attempt')} lost`,
  ]
  return words.filter(Boolean).join(', ')
}

/** The columns of usage: calls, failures, tokens and cost. */
export function usageColumns<Row extends UsageView>(): readonly Column<Row>[] {
  return [
    { id: 'calls', head: 'Calls', isNumber: true, cell: ({ calls }) => number(calls) },
    {
      id: 'failed',
      head: 'Failed',
      isNumber: true,
      isWide: true,
      cell: ({ failures, calls }) => (
        <>
          {number(failures)}{' '}
          {failures > 0 && <span className="muted">{share(failures, calls)}</span>}
        </>
      ),
    },
    {
      id: 'input',
      head: 'Tokens in',
      isNumber: true,
      isWide: true,
      cell: ({ inputTokens, cachedTokens }) => (
        <>
          {number(inputTokens)}
          {cachedTokens > 0 && <p className="secondary">{count(cachedTokens)} cached</p>}
        </>
      ),
    },
    {
      id: 'output',
      head: 'Tokens out',
      isNumber: true,
      isWide: true,
      cell: ({ outputTokens }) => number(outputTokens),
    },
    {
      id: 'cost',
      head: 'Cost',
      isNumber: true,
      cell: (row) => (
        <>
          {costText(row)}
          <p className="secondary">{caveats(row)}</p>
        </>
      ),
    },
  ]
}

function number(value: number) {
  return value === 0 ? <span className="muted">0</span> : count(value)
}
