import { Readable } from 'node:stream'

import { GatewayError } from '../../src/contract/errors.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import { isObject } from '../../src/lib/json/object.ts'
import { parseOrUndefined } from '../../src/lib/json/read.ts'
import { runInTurns } from '../../src/lib/turns.ts'
import { textsOf } from './guard-body.ts'
import type { Moderation } from './moderation.ts'
import type { Rules } from './rules.ts'

/**
 * Looks at a reply that has no events, such as the items of a conversation, which its account stores as they were
 * before rules masked them. Rejects with `GatewayError`.
 */
export async function guardReply(
  { operation, client }: Understood,
  reply: Reply,
  rules: Rules,
  moderation: Moderation | undefined,
): Promise<Reply> {
  const { body } = reply
  if (body instanceof Readable) {
    // Streams of images, speech and files of videos have no text.
    if (!hasText(operation)) return reply
    const message = 'This stream cannot be looked at: ask without `stream`.'
    throw new GatewayError('plugin_rejected', message, { retry: false })
  }
  if (body === null) return reply
  const json = parseOrUndefined(body.toString())
  if (isObject(json)) {
    const allowed = await runInTurns(rules.applyToReply(json))
    await moderation?.assertHarmless(textsOf(json), 'reply', client.signal)
    return allowed === json ? reply : { ...reply, body: JSON.stringify(allowed) }
  }
  if (!isHeard(operation)) return reply
  const text = body.toString()
  const allowed = await runInTurns(rules.apply(text))
  await moderation?.assertHarmless(text, 'reply', client.signal)
  return allowed === text ? reply : { ...reply, body: allowed }
}

/** Whether the reply of an operation is the text of audio. */
function isHeard({ capability }: Understood['operation']): boolean {
  return capability === 'transcribe' || capability === 'translate-audio'
}

function hasText(operation: Understood['operation']): boolean {
  return isHeard(operation) || operation.capability?.startsWith('stored-') === true
}
