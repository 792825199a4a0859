import type { LedgerRow } from '../../contract/ledger-row.ts'
import { ownerOfCount, ownerOfRow, startOf, sumsOfRow } from '../ledger-aggregate.ts'
import {
  type BucketSums,
  type Ledger,
  type LedgerBatch,
  type SumsOf,
  type SumsPart,
  batchesKeptMs,
  cursorOf,
  rowsKeptMs,
  steps,
} from '../ledger.ts'
import type { RedisConnection } from './connect.ts'
import { prepareScript } from './run-script.ts'
import { appendScript } from './scripts.ts'

const runAppend = prepareScript(appendScript)

/** Rows of all replicas, about 600 MB. Beyond these the oldest go; their sums stay. */
const mostRows = 1_000_000

/** Buckets that one round trip reads. */
const bucketsAtOnce = 50

/** Fields that one round trip reads of the sums of all owners. */
const fieldsAtOnce = 1_000

/** The ledger in Redis: all its keys begin with `base`, which has a hash tag. */
export function redisLedger(connection: RedisConnection, base: string): Ledger {
  const rowsKey = `${base}#rows`
  const ofKey = (exchange: string) => `${base}#of:${exchange}`

  async function read(command: readonly string[]): Promise<unknown[]> {
    return (await connection.send(rowsKey, 'read', command)) as unknown[]
  }

  async function range(...bounds: readonly string[]): Promise<LedgerRow[]> {
    const members = await read(['ZRANGE', rowsKey, ...bounds])
    return members.map((member) => {
      const text = String(member)
      return JSON.parse(text.slice(text.indexOf('\n') + 1)) as LedgerRow
    })
  }

  /** The sums of one bucket, of each owner. */
  async function ownersOf(key: string): Promise<unknown[]> {
    const fields = new Map<string, unknown>()
    let cursor = '0'
    do {
      const command = ['HSCAN', key, cursor, 'COUNT', String(fieldsAtOnce)]
      const [next, found] = (await read(command)) as [unknown, unknown[]]
      // A field may come twice.
      for (let index = 0; index < found.length; index += 2)
        fields.set(String(found[index]), found[index + 1])
      cursor = String(next)
    } while (cursor !== '0')
    return [...fields].flat()
  }

  return {
    async append(batch) {
      const { keys, data } = commandOf(base, batch, [rowsKey, `${base}#batch:${batch.id}`], ofKey)
      const kept = [rowsKeptMs, batchesKeptMs, mostRows].map(String)
      await runAppend(connection, keys, JSON.stringify(data), String(steps.length), ...kept)
    },
    rows({ after, limit, newestFirst }) {
      const page = ['LIMIT', '0', String(limit)]
      if (newestFirst)
        return range(after === undefined ? '+' : `(${after}`, '-', 'BYLEX', 'REV', ...page)
      return range(after === undefined ? '-' : `(${after}\v`, '+', 'BYLEX', ...page)
    },
    async rowsOf(exchange) {
      const at = await connection.send(rowsKey, 'read', ['GET', ofKey(exchange)])
      if (typeof at !== 'string') return []
      const first = `${at}-${exchange}`
      return range(`[${first}:`, `(${first};`, 'BYLEX')
    },
    async *sums(part) {
      for (const starts of startsOf(part)) {
        const found = await Promise.all(
          starts.map((start) => {
            const key = sumsKey(base, part.of, part.step, start)
            return part.of === 'all' ? read(['HGETALL', key]) : ownersOf(key)
          }),
        )
        const page = found.flatMap((fields, index) => bucketsOf(starts[index]!, fields))
        if (page.length > 0) yield page
      }
    },
  }
}

function sumsKey(base: string, of: SumsPart['of'], step: string, start: number): string {
  return `${base}#${of}:${step}:${start}`
}

/** The buckets of a part of time, several at a time; one where each has the sums of all owners. */
function* startsOf({ step, from, to, of }: SumsPart): Generator<number[]> {
  const { ms } = steps.find(({ name }) => name === step)!
  const atOnce = of === 'all' ? bucketsAtOnce : 1
  for (let start = from; start < to; start += atOnce * ms) {
    const count = Math.min(atOnce, Math.ceil((to - start) / ms))
    yield Array.from({ length: count }, (_, index) => start + index * ms)
  }
}

/** The sums of a bucket, from the names and values of its fields. */
function bucketsOf(start: number, fields: readonly unknown[]): BucketSums[] {
  const owners = new Map<string, BucketSums & { readonly sums: Record<string, number> }>()
  for (let index = 0; index < fields.length; index += 2) {
    const field = String(fields[index])
    const mark = field.lastIndexOf('\0')
    const owner = field.slice(0, Math.max(0, mark))
    let bucket = owners.get(owner)
    if (!bucket) {
      const [team = '', keyId = '', model = '', accountId = ''] = owner.split('\0')
      owners.set(owner, (bucket = { start, team, keyId, model, accountId, sums: {} }))
    }
    bucket.sums[field.slice(mark + 1)] = Number(fields[index + 1])
  }
  return [...owners.values()]
}

/** The keys and the data of `appendScript`. */
function commandOf(
  base: string,
  { rows, counts }: LedgerBatch,
  keys: [string, ...string[]],
  ofKey: (exchange: string) => string,
) {
  const places = new Map<string, number>()
  const groups: { keys: number[]; owner: string }[] = []
  const groupPlaces = new Map<string, number>()
  const expiry: { key: number; at: number }[] = []

  function placeOf(key: string): number {
    let place = places.get(key)
    if (place === undefined) places.set(key, (place = keys.push(key)))
    return place
  }

  function placeOfSums(of: SumsPart['of'], step: (typeof steps)[number], start: number): number {
    const isKnown = places.has(sumsKey(base, of, step.name, start))
    const place = placeOf(sumsKey(base, of, step.name, start))
    if (!isKnown) expiry.push({ key: place, at: start + step.ms + step.keptMs })
    return place
  }

  function groupOf(at: number, of: SumsOf | undefined): number {
    const minute = startOf(at, steps[0].ms)
    const owner = of ? `${of.team}\0${of.keyId}\0${of.model}\0${of.accountId}` : ''
    const name = `${minute}\0${of ? 1 : 0}\0${owner}`
    let place = groupPlaces.get(name)
    if (place === undefined) {
      const scopes: SumsPart['of'][] = of ? ['all', 'each'] : ['all']
      const all = scopes.flatMap((scope) =>
        steps.map((step) => placeOfSums(scope, step, startOf(at, step.ms))),
      )
      groupPlaces.set(name, (place = groups.push({ keys: all, owner })))
    }
    return place
  }

  const data = {
    rows: rows.map((row) => ({
      cursor: cursorOf(row),
      text: JSON.stringify(row),
      key: placeOf(ofKey(row.exchange)),
      group: groupOf(row.at, ownerOfRow(row)),
      sums: row.isFree ? {} : sumsOfRow(row),
    })),
    counts: counts.map((one) => ({ group: groupOf(one.at, ownerOfCount(one)), sums: one.sums })),
    groups,
    expiry,
  }
  return { keys, data }
}
