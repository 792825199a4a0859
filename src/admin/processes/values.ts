import { z } from 'zod'

/** In characters. */
const longestText = 512

/** A text that is cut off at its length in a record. */
export function bounded(value: string): string {
  return value.length > longestText ? value.slice(0, longestText) : value
}

/** Cut off rather than refused: another version of the gateway may write more. */
export const text = z.string().transform(bounded)

/** A list of at most so many items; the others are not even examined. */
export function upTo<Item extends z.ZodType>(most: number, item: Item) {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(0, most) : value)
  return z.preprocess(cut, z.array(item))
}

/** A number of things. */
export const count = z.number().int().nonnegative()

/** A number of things that GraphQL's `Int` can hold. */
export const smallCount = count.max(2 ** 31 - 1)

/** A time as a `Date` can hold it, in milliseconds since 1970. */
export const time = z.number().nonnegative().max(8.64e15)

/** A `Sample`, in answers and events. */
export const sampleSchema = z.object({
  /** The beginning: a multiple of the length of a sample. */
  at: time,
  /** Exchanges in flight at the end. */
  inFlight: count,
  /** The sums of the exchanges that ended, by the names of the ledger. */
  sums: z.record(z.string().regex(/^[a-z]{1,20}\d{0,2}$/i), count).readonly(),
})

/** What keeps calls from an account in a process. */
export const exclusionSchema = z.object({
  account: text,
  by: text,
  kind: z.enum(['circuit', 'refused', 'cooling', 'other']).catch('other'),
  reason: text,
  dialect: text.optional(),
  model: text.optional(),
  keyId: text.optional(),
  status: smallCount.optional(),
  untilMs: time.optional(),
  isProbing: z.boolean().optional(),
  isPartial: z.boolean().optional(),
  failures: upTo(3, z.object({ atMs: time, cause: text, exchangeId: text }))
    .readonly()
    .optional(),
})

/** The problems of a configuration. */
export const problemsSchema = upTo(20, z.object({ path: text, message: text, fix: text }))
