import type { Bus } from './bus-port.ts'
import { openRedisBus } from './redis/bus.ts'
import { parseRedisUrl } from './redis/url.ts'

/**
 * Opens the bus of a store: that of its Redis. `undefined` for other stores, whose processes are workers
 * of one machine.
 */
export function openStoreBus(url: string, onError: (error: unknown) => void): Bus | undefined {
  const address = parseRedisUrl(url)
  return address && openRedisBus(address, onError)
}
