import { Readable } from 'node:stream'

import type { Reply, Usage } from '../contract/outcome.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { linesOf } from '../lib/text-lines.ts'
import { isAmount } from '../kit/usage.ts'

/** No batch has more results. */
const mostLines = 200_000

/** The sum of the usages of lines. `undefined`: no line has any, or there are too many to be results. */
export async function sumOfLines(
  body: Reply['body'],
  usageOf: (line: unknown) => Usage | undefined,
): Promise<Usage | undefined> {
  const text = body instanceof Readable ? body : [Buffer.from(body ?? '')]
  const sum = new Map<string, number>()
  let tier: string | undefined
  let longestPrompt = 0
  let isPartial = false
  for await (const { bytes, number } of linesOf(text as AsyncIterable<Buffer> | Buffer[])) {
    if (number > mostLines) return undefined
    const usage = bytes && usageOf(parseOrUndefined(bytes.toString()))
    tier = usage?.tier ?? tier
    isPartial ||= usage?.isPartial === true
    if (isAmount(usage?.inputTokens)) longestPrompt = Math.max(longestPrompt, usage.inputTokens)
    for (const [name, count] of Object.entries(usage ?? {})) {
      if (typeof count === 'number' && isAmount(count)) sum.set(name, (sum.get(name) ?? 0) + count)
    }
  }
  if (sum.size === 0) return undefined
  return {
    ...(Object.fromEntries(sum) as Usage),
    longestPrompt,
    ...(tier !== undefined && { tier }),
    ...(isPartial && { isPartial }),
  }
}
