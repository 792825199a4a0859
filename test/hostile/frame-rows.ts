import { join } from 'node:path'

import { ask } from '../walks/streams/asking.ts'
import { hostileFrames } from './frames.ts'
import { startCommand } from './gateway.ts'
import { accountKey } from './replies.ts'
import { MiB, allowedMemory, allowedStall, check, isChosen, keys, readEnd, shown } from './rows.ts'

/** Streams with one large frame of an odd shape, native and translated, renamed and in another framing. */
export async function frames(account: string): Promise<void> {
  const plugin = join(import.meta.dirname, 'framed-plugin.ts')
  for (const [name, { account: dialect, client, framings, isRenamed }] of hostileFrames) {
    if (!isChosen(name)) continue
    const baseUrl = `${account}/frames/${encodeURIComponent(name)}/v1`
    const own = { id: 'only', baseUrl, apiKey: accountKey, models: ['*'] }
    const kind = framings
      ? { provider: 'framed' }
      : { provider: 'openai-compatible', speaks: [dialect] }
    await using gateway = await startCommand({
      keys,
      accounts: [{ ...own, ...kind, replyModel: isRenamed ? 'client' : 'account' }],
      ...(framings && { plugins: [{ use: plugin, options: framings }] }),
    })
    await gateway.mark()
    const response = await ask({ url: gateway.url, key: 'one-secret' }, client, { model: 'asked' })
    const { length } = await readEnd(response)
    const measures = await gateway.mark()
    check(
      response.status === 200 &&
        length > 0 &&
        measures.stall < allowedStall &&
        measures.memory < allowedMemory,
      `${name}: ${response.status}, ${(length / MiB).toFixed(0)} MiB, ${shown(measures)}`,
    )
  }
}
