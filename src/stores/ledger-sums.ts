import type { LedgerReply } from '../contract/ledger-row.ts'

/** Sums, by their names. Absent ones are 0. */
export type Sums = Readonly<Partial<Record<SumName, number>>>

/** The sums of tokens and units, by the names that they have in `Usage`. */
export const tokenNames = [
  'inputTokens',
  'cachedTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'audioInputTokens',
  'imageInputTokens',
  'outputTokens',
  'reasoningTokens',
  'audioOutputTokens',
  'imageOutputTokens',
  'searches',
  'images',
  'videoSeconds',
  'audioSeconds',
  'characters',
] as const

/** The kinds of failed calls. */
export const failureNames = [
  'clientError',
  'rateLimited',
  'serverError',
  'broken',
  'clientGone',
] as const

/** How a call failed. */
export type FailureName = (typeof failureNames)[number]

/**
 * What is counted. `calls` and `failures` by kind are of calls, at their last attempts; `retries` are the attempts that
 * another one followed. `unpriced` and `estimated` are of attempts. `begun` and `counted` are of processes: a process
 * that ends within a minute without the other one has not said all. `lost`: attempts that could not be written.
 */
export type SumName =
  | 'calls'
  | FailureName
  | 'retries'
  | (typeof tokenNames)[number]
  | 'costNano'
  | 'unpriced'
  | 'estimated'
  | 'begun'
  | 'counted'
  | 'lost'
  | BucketName

/** A bucket of the histogram of first outputs or of durations. */
type BucketName = `first${number}` | `duration${number}`

/** The upper bounds of the buckets of histograms, in milliseconds. The last bucket has none. */
export const histogramBounds: readonly number[] = [
  10, 20, 50, 100, 150, 200, 300, 400, 600, 800, 1_000, 1_500, 2_000, 3_000, 4_500, 6_000, 8_000,
  12_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
]

/** The sums of a call. */
export function sumsOfReply(reply: LedgerReply): Sums {
  const failure = failureOf(reply)
  const { ms, firstOutputMs } = reply
  const sums: Partial<Record<SumName, number>> = { calls: 1 }
  if (failure) sums[failure] = 1
  sums[`duration${bucketOf(ms)}`] = 1
  if (firstOutputMs !== undefined) sums[`first${bucketOf(firstOutputMs)}`] = 1
  return sums
}

/** How a call failed; `undefined`: it did not. */
export function failureOf({
  status,
  end,
}: Pick<LedgerReply, 'status' | 'end'>): FailureName | undefined {
  if (end === 'client_gone') return 'clientGone'
  if (status >= 500) return 'serverError'
  if (status === 429) return 'rateLimited'
  if (status >= 400) return 'clientError'
  return end === 'broken' ? 'broken' : undefined
}

/** The bucket of a time in a histogram. */
export function bucketOf(ms: number): number {
  let index = 0
  while (index < histogramBounds.length && ms > histogramBounds[index]!) index++
  return index
}

/** The counts of a histogram, one for each bucket. */
export function histogramOf(sums: Sums, name: 'first' | 'duration'): number[] {
  const counts = histogramBounds.map((_, index) => sums[`${name}${index}`] ?? 0)
  return [...counts, sums[`${name}${histogramBounds.length}`] ?? 0]
}

/** Adds sums to others. */
export function addSums(to: Record<string, number>, sums: Sums): void {
  for (const name in sums) to[name] = (to[name] ?? 0) + (sums[name as SumName] ?? 0)
}
