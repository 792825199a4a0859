import type { LedgerRow } from '../contract/ledger-row.ts'
import { type LedgerBatch, type LedgerCount, type SumsOf, steps } from './ledger.ts'
import { type SumName, type Sums, addSums, sumsOfReply, tokenNames } from './ledger-sums.ts'

/** The sums of one row. Numbers that cannot be counted are left out: one of them would spoil a sum for ever. */
export function sumsOfRow({ tokens, costNano, usage, reply }: LedgerRow): Sums {
  const sums: Partial<Record<SumName, number>> = {}
  if (tokens) {
    for (const name of tokenNames) {
      const amount = tokens[name]
      if (amount !== undefined && isCount(amount, mostTokens)) sums[name] = amount
    }
  }
  if (costNano === null) sums.unpriced = 1
  else if (isCount(costNano, Number.MAX_SAFE_INTEGER)) sums.costNano = costNano
  if (usage === 'estimated') sums.estimated = 1
  if (!reply) sums.retries = 1
  else Object.assign(sums, sumsOfReply(reply))
  return sums
}

/** An account may report any number. No call has more. */
const mostTokens = 1e9

function isCount(amount: number, most: number): boolean {
  return Number.isInteger(amount) && amount > 0 && amount <= most
}

/** Sums of one owner in one bucket, before they are added to those of the store. */
interface AddedSums {
  readonly step: number
  readonly start: number
  /** Absent: the sums of all calls. */
  readonly of: SumsOf | undefined
  readonly sums: Record<string, number>
}

/**
 * The sums of rows and counts in all their buckets, one for each owner and bucket: a batch of hundreds of rows
 * changes a few records.
 */
export function aggregate(
  rows: readonly LedgerRow[],
  counts: LedgerBatch['counts'],
): Iterable<AddedSums> {
  const all = new Map<string, AddedSums>()
  const addTo = (step: number, at: number, of: SumsOf | undefined, sums: Sums) => {
    const start = startOf(at, steps[step]!.ms)
    const owner = of ? `${of.team}\0${of.keyId}\0${of.model}\0${of.accountId}` : ''
    const name = `${step}\0${start}\0${owner}`
    let added = all.get(name)
    if (!added) all.set(name, (added = { step, start, of, sums: {} }))
    addSums(added.sums, sums)
  }
  const add = (at: number, of: SumsOf | undefined, sums: Sums) => {
    for (let step = 0; step < steps.length; step++) {
      addTo(step, at, undefined, sums)
      if (of) addTo(step, at, of, sums)
    }
  }
  for (const row of rows) if (!row.isFree) add(row.at, ownerOfRow(row), sumsOfRow(row))
  for (const one of counts) add(one.at, ownerOfCount(one), one.sums)
  return all.values()
}

/** Whose sums a row counts in. */
export function ownerOfRow({
  team = '',
  keyId,
  model,
  pool = model,
  accountId,
}: LedgerRow): SumsOf {
  return { team, keyId, model: pool, accountId }
}

/** Whose sums a count belongs to; `undefined`: nobody's, it concerns the sums of all calls only. */
export function ownerOfCount(count: LedgerCount): SumsOf | undefined {
  const { team, keyId = '', model = '', accountId = '' } = count
  return team === undefined ? undefined : { team, keyId, model, accountId }
}

/** The start of the bucket of a time. */
export function startOf(at: number, bucketMs: number): number {
  return Math.floor(at / bucketMs) * bucketMs
}
