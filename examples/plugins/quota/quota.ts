import {
  GatewayError,
  type GatewayPlugin,
  type PluginCounters,
  type Received,
  StoreUnavailable,
  definePlugin,
} from 'dragoman'
import { z } from 'zod'

/** The options, which a configuration has beside `use`. */
export const options = z.strictObject({
  callsPerDay: z.int().positive().describe('calls of a key in a day'),
  keys: z.record(z.string(), z.int().min(0)).default({}).describe('other numbers, by key'),
})

const dayMs = 86_400_000

/** Refuses the calls of a key beyond its quota of the day, which begins at midnight UTC. */
export default function quota(given: z.input<typeof options>): GatewayPlugin {
  const { callsPerDay, keys } = options.parse(given)
  const limits = new Map(Object.entries(keys))
  const counted = new WeakMap<Received, number>()
  let counters: PluginCounters | undefined

  return definePlugin({
    name: 'daily-quota',
    onStart(input) {
      counters = input.counters
    },
    async onCall({ exchange, next }) {
      const { keyId } = exchange.caller
      const now = Date.now()
      // The counter outlives its day, because its time begins with its first call.
      const name = `${Math.floor(now / dayMs)} ${keyId}`
      const total = (await counters?.add(name, 1, { ttlMs: 2 * dayMs }).catch(refuse)) ?? 0
      counted.set(exchange, total)
      if (total <= (limits.get(keyId) ?? callsPerDay)) return next()
      throw new GatewayError('quota_exceeded', 'This key has no calls left today.', {
        retryAfterMs: dayMs - (now % dayMs),
      })
    },
    onAccessLog: ({ exchange }) => ({ callsToday: counted.get(exchange) }),
  })
}

/** While the store is away, the quota holds: the gateway serves no call that it cannot count. */
function refuse(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error
  const message = 'The calls of this key cannot be counted at the moment.'
  throw new GatewayError('service_unavailable', message, { retryAfterMs: 1_000, cause: error })
}
