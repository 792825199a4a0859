import type { JsonObject } from '../codec.ts'
import type { Produced } from '../exchange.ts'
import { largestKept, sizeOf } from '../kept-size.ts'
import type { Translation } from './translation.ts'

/** What is kept of a complete reply, and what later calls may do with it. */
export function keepReply(
  translation: Translation,
  reply: JsonObject | undefined,
  events?: number,
): Pick<Produced, 'binds' | 'kept'> {
  const { client, context, conversation } = translation
  const { keeping } = client
  translation.reply = reply
  const kept = reply && keeping?.keep(conversation, reply, events)
  if (!kept) return {}
  if (sizeOf(kept) > largestKept) {
    context.drop('store', 'with all that was said before it the response is too large to be kept')
    return {}
  }
  const canGoOn = keeping?.isComplete(reply) && !conversation.isPartial
  return { kept, binds: canGoOn ? 'chain' : 'own' }
}
