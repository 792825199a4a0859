import { z } from 'zod'

/** A number of things. */
export const count = z.number().int().nonnegative()

/** A number of things that GraphQL's `Int` can hold. */
export const smallCount = count.max(2 ** 31 - 1)

/** A time as a `Date` can hold it, in milliseconds since 1970. */
export const time = z.number().nonnegative().max(8.64e15)

/** A `Sample`, in heartbeats and events. */
export const sampleSchema = z.object({
  at: time,
  calls: count,
  failures: count,
  outputs: count,
  outputMs: count,
  inFlight: count,
})
