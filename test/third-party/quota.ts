import {
  GatewayError,
  type GatewayPlugin,
  type PluginCounters,
  StoreUnavailable,
  definePlugin,
} from '../../src/index.ts'

interface QuotaOptions {
  /** Calls of a key in an hour, in all processes together. */
  readonly limit: number
  readonly name?: string
}

const hourMs = 3_600_000

/** Refuses the calls of a key beyond its limit; while the store is away, all calls. */
export function quota({ limit, name = 'quota' }: QuotaOptions): GatewayPlugin {
  let counters: PluginCounters | undefined
  return definePlugin({
    name,
    onStart(input) {
      counters = input.counters
    },
    async onCall({ exchange, next }) {
      const total = await counters?.add(exchange.caller.keyId, 1, { ttlMs: hourMs }).catch(refuse)
      if ((total ?? 0) <= limit) return next()
      throw new GatewayError('quota_exceeded', 'This key has no calls left in this hour.')
    },
  })
}

function refuse(error: unknown): never {
  if (!(error instanceof StoreUnavailable)) throw error
  const message = 'The calls of this key cannot be counted at the moment.'
  throw new GatewayError('service_unavailable', message, { retryAfterMs: 1_000, cause: error })
}
