import { until } from '../../src/testing/until.ts'

/** Sends a request until the rate of operations of its token allows it. */
export async function fetchWhenAllowed(url: string, init: RequestInit): Promise<Response> {
  let reply: Response | undefined
  await until(async () => {
    reply = await fetch(url, init)
    if (reply.status !== 429) return true
    await reply.body?.cancel()
    return false
  }, 20_000)
  return reply!
}
