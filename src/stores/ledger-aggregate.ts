import type { LedgerRow } from '../contract/ledger-row.ts'
import { type LedgerBatch, type LedgerCount, type SumsOf, steps } from './ledger.ts'
import { type SumName, type Sums, addSums, sumsOfReply, tokenNames } from './ledger-sums.ts'

/** The sums of one row. Numbers that cannot be counted are left out: one of them would spoil a sum for ever. */
export function sumsOfRow({ tokens, costNano, usage, isJob, reply }: LedgerRow): Sums {
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
  if (!reply) {
    if (!isJob) sums.retries = 1
  } else Object.assign(sums, sumsOfReply(reply))
  return sums
}

/** An account may report any number. No call has more. */
const mostTokens = 1e8

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

/** The sums of one owner in the finest bucket. */
interface Group {
  readonly at: number
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
  const groups = new Map<string, Group>()
  const groupOf = (at: number, of: SumsOf | undefined) => {
    const name = `${startOf(at, steps[0].ms)}\0${nameOf(of)}`
    let group = groups.get(name)
    if (!group) groups.set(name, (group = { at, of, sums: {} }))
    return group.sums
  }
  for (const row of rows) if (!row.isFree) addSums(groupOf(row.at, ownerOfRow(row)), sumsOfRow(row))
  for (const one of counts) addSums(groupOf(one.at, ownerOfCount(one)), one.sums)

  const all = new Map<string, AddedSums>()
  const add = (step: number, { at, sums }: Group, of: SumsOf | undefined) => {
    const start = startOf(at, steps[step]!.ms)
    const name = `${step}\0${start}\0${nameOf(of)}`
    let added = all.get(name)
    if (!added) all.set(name, (added = { step, start, of, sums: {} }))
    addSums(added.sums, sums)
  }
  for (const group of groups.values()) {
    for (let step = 0; step < steps.length; step++) {
      add(step, group, undefined)
      if (group.of) add(step, group, group.of)
    }
  }
  return all.values()
}

function nameOf(of: SumsOf | undefined): string {
  return of ? `${of.team}\0${of.keyId}\0${of.model}\0${of.accountId}` : ''
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

/** Whose sums a count belongs to; `undefined`: the count concerns the sums of all calls only. */
export function ownerOfCount(count: LedgerCount): SumsOf | undefined {
  const { team, keyId = '', model = '', accountId = '' } = count
  return team === undefined ? undefined : { team, keyId, model, accountId }
}

/** The start of the bucket of a time. */
export function startOf(at: number, bucketMs: number): number {
  return Math.floor(at / bucketMs) * bucketMs
}
