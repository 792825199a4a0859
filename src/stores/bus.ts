import type { Bus } from './bus-port.ts'
import { parseRedisUrl } from './redis/url.ts'

/**
 * Opens the bus of a store: that of its Redis. `undefined` for other stores, whose processes are workers
 * of one machine.
 */
export async function openStoreBus(
  url: string,
  onError: (error: unknown) => void,
): Promise<Bus | undefined> {
  const address = parseRedisUrl(url)
  if (!address) return undefined
  // Loaded here, as `openStore` does.
  const { openRedisBus } = await import('./redis/bus.ts')
  return openRedisBus(address, onError)
}
