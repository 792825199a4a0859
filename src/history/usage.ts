import { type BucketSums, type Ledger, type SumsOf } from '../stores/ledger.ts'
import { type Sums, addSums } from '../stores/ledger-sums.ts'
import { type TimeRange, partsOf, sizeOf } from './parts.ts'
import { type OwnerFilter, TooMuch, isFilter, visitSums } from './read-sums.ts'

/** What usage can be told apart by. */
export const dimensions = ['KEY', 'TEAM', 'MODEL', 'ACCOUNT', 'DAY', 'HOUR'] as const

/** A dimension of usage. */
export type UsageDimension = (typeof dimensions)[number]

/** What a report is about. */
interface UsageQuery extends TimeRange {
  readonly by: readonly UsageDimension[]
  readonly filter: OwnerFilter
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The usage of some calls. */
interface Usage {
  readonly sums: Sums
  /** In nano-dollars: more than a number can hold exactly. */
  readonly costNano: bigint
}

/** A line of a report. Members that the question does not name are absent, and '' stands for none. */
export interface UsageRow extends Usage, Partial<SumsOf> {
  /** The start of its day or hour, in milliseconds since 1970. */
  readonly start?: number
}

/** A report of usage. */
export interface UsageReport {
  /** In the order of time, then by cost. */
  readonly rows: readonly UsageRow[]
  readonly totals: Usage
}

/** The most rows of a report. */
const mostRows = 5_000

const members = { KEY: 'keyId', TEAM: 'team', MODEL: 'model', ACCOUNT: 'accountId' } as const

/** The member of sums that a dimension stands for; `undefined` for times. */
export function memberOf(dimension: UsageDimension): keyof SumsOf | undefined {
  return dimension === 'DAY' || dimension === 'HOUR' ? undefined : members[dimension]
}

/** Reads a report. The report covers whole buckets, see `partsOf`. Rejects as `visitSums` does. */
export async function readUsage(
  ledger: Pick<Ledger, 'sums'>,
  query: UsageQuery,
  signal?: AbortSignal,
): Promise<UsageReport> {
  const { by, filter, now } = query
  const owners = [...new Set(by.flatMap((dimension) => memberOf(dimension) ?? []))]
  const size = by.includes('HOUR') ? sizeOf('hour') : by.includes('DAY') ? sizeOf('day') : undefined
  const of = owners.length > 0 || isFilter(filter) ? 'each' : 'all'
  const parts = partsOf(query, now, by.includes('HOUR') ? 'hour' : 'day')
  const rows = new Map<string, MutableUsage & Omit<UsageRow, keyof Usage>>()
  const totals = newUsage()

  function add(one: BucketSums): void {
    const start = size === undefined ? undefined : Math.floor(one.start / size) * size
    const name = [start, ...owners.map((member) => one[member])].join('\0')
    let row = rows.get(name)
    if (!row) {
      if (rows.size === mostRows) throw new TooMuch()
      const named = Object.fromEntries(owners.map((member) => [member, one[member]]))
      rows.set(name, (row = { ...newUsage(), ...named, ...(start !== undefined && { start }) }))
    }
    addUsage(row, one.sums)
    addUsage(totals, one.sums)
  }

  await visitSums(
    ledger,
    parts.map((part) => ({ ...part, of })),
    add,
    { filter, signal },
  )
  return { rows: [...rows.values()].toSorted(byTimeAndCost), totals }
}

interface MutableUsage extends Usage {
  readonly sums: Record<string, number>
  costNano: bigint
}

function newUsage(): MutableUsage {
  return { sums: {}, costNano: 0n }
}

function addUsage(to: MutableUsage, sums: Sums): void {
  addSums(to.sums, sums)
  to.costNano += BigInt(sums.costNano ?? 0)
}

function byTimeAndCost(one: UsageRow, other: UsageRow): number {
  const time = (one.start ?? 0) - (other.start ?? 0)
  if (time !== 0) return time
  return one.costNano < other.costNano ? 1 : one.costNano > other.costNano ? -1 : 0
}
