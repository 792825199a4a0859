import { textsOf } from '../../app/search-texts.ts'
import { isMoment } from '../../format/time.ts'
import { type Range, rangeOf } from '../../usage/range.ts'

/** The dimensions that usage is grouped by. */
export const dimensions = ['KEY', 'TEAM', 'MODEL', 'ACCOUNT', 'DAY', 'HOUR'] as const
export type Dimension = (typeof dimensions)[number]

/** The stretches of time of a choice, in hours; `today`: since midnight by the clock of the page. */
export const spans = {
  today: { hours: 0, name: 'Today' },
  '3h': { hours: 3, name: '3 hours' },
  '24h': { hours: 24, name: '24 hours' },
  '7d': { hours: 168, name: '7 days' },
  '30d': { hours: 720, name: '30 days' },
  '90d': { hours: 2_160, name: '90 days' },
} as const
export type Span = keyof typeof spans

/** The metrics of the chart. */
export const metrics = ['cost', 'calls', 'tokens'] as const
export type Metric = (typeof metrics)[number]

/** What the page Usage shows, in its address. */
export interface UsageSearch {
  readonly span?: Span | undefined
  /** A range of its own, in place of a span: what was drawn in the chart. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by?: Dimension | undefined
  readonly metric?: Metric | undefined
  readonly keyId?: string | undefined
  readonly team?: string | undefined
  readonly model?: string | undefined
  readonly accountId?: string | undefined
}

const filters = ['keyId', 'team', 'model', 'accountId'] as const

/** Reads the search parameters of the page. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { span, by, metric, from, to } = search
  const isRange = isMoment(from) && isMoment(to) && Date.parse(from) < Date.parse(to)
  return {
    ...(typeof span === 'string' && span in spans && { span: span as Span }),
    ...(isRange && { from, to }),
    ...(dimensions.includes(by as Dimension) && { by: by as Dimension }),
    ...(metrics.includes(metric as Metric) && { metric: metric as Metric }),
    ...textsOf(search, filters),
  }
}

/** The range that the page asks for. A span ends with the present minute, which `minute` begins. */
export function rangeOfSearch({ span = '24h', from, to }: UsageSearch, minute: number): Range {
  if (from !== undefined && to !== undefined) return { from, to }
  const end = minute + 60_000
  if (span === 'today') return rangeOf(midnightBefore(minute), end)
  return rangeOf(end - spans[span].hours * 3_600_000, end)
}

/** The history counts calls in steps of ten minutes once they are three hours old. */
const stepMs = 600_000

function midnightBefore(at: number): number {
  return Math.floor(new Date(at).setHours(0, 0, 0, 0) / stepMs) * stepMs
}

/** The filter of the API. */
export function filterOf(search: UsageSearch) {
  return textsOf({ ...search }, filters)
}
