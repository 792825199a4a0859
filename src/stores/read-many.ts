import { smallJson } from '../lib/json/measure.ts'
import { nextTurn } from '../lib/turns.ts'
import type { RecordsAdapter } from './adapter.ts'
import { memoryOf, openEnvelope, readEnvelope } from './envelopes.ts'
import { type ReadOptions, UnreadableRecord } from './store.ts'

/** Records that are read in one round trip where all of them could be large. */
const fewest = 16

/** Texts up to this length, in all, are parsed in one turn of the event loop. Characters. */
const smallBatch = smallJson

/** The values of records in the order of `ids`: see `Records.getMany`. */
export async function readMany<T>(
  adapter: RecordsAdapter,
  ids: readonly string[],
  options: ReadOptions = {},
): Promise<(T | undefined)[]> {
  if (!options.admit) return read(await adapter.getMany(ids), options)
  const values: (T | undefined)[] = []
  for (let [from, count] = [0, fewest]; from < ids.length;) {
    const envelopes = await adapter.getMany(ids.slice(from, from + count))
    values.push(...(await read<T>(envelopes, options)))
    from += count
    // Small records are no reason for many round trips.
    count = lengthOf(envelopes) <= smallBatch ? 2 * count : fewest
  }
  return values
}

async function read<T>(
  envelopes: readonly (string | undefined)[],
  options: ReadOptions,
): Promise<(T | undefined)[]> {
  if (lengthOf(envelopes) <= smallBatch) {
    return envelopes.map((one) => valueOf(one) as T | undefined)
  }
  const values: (T | undefined)[] = []
  let parsed = 0
  for (const envelope of envelopes) {
    parsed += envelope?.length ?? 0
    if (parsed > smallBatch) {
      await nextTurn(options.owner)
      parsed = 0
    }
    values.push((await readOne(envelope, options)) as T | undefined)
  }
  return values
}

function lengthOf(envelopes: readonly (string | undefined)[]): number {
  return envelopes.reduce((sum, one) => sum + (one?.length ?? 0), 0)
}

/** The value of one record among several, which a damaged one must not take away. */
export function valueOf(envelope: string | undefined): unknown {
  try {
    return envelope === undefined ? undefined : openEnvelope(envelope).value
  } catch {
    return undefined
  }
}

async function readOne(envelope: string | undefined, options: ReadOptions): Promise<unknown> {
  if (envelope === undefined) return undefined
  // Small ones count here, since there may be many.
  if (envelope.length <= smallJson) await options.admit?.(memoryOf(envelope))
  try {
    return (await readEnvelope(envelope, options)).value
  } catch (error) {
    if (error instanceof UnreadableRecord) return undefined
    throw error
  }
}
