import type { JsonObject } from '../codec.ts'
import type { Produced } from '../exchange.ts'
import { largestKept, sizeOf } from '../kept-size.ts'
import type { Translation } from './translation.ts'

type Keep = Pick<Produced, 'binds' | 'kept'>

/** What is kept of a complete reply, and what later calls may do with it. */
export function keepReply(
  translation: Translation,
  reply: JsonObject | undefined,
  events?: number,
): Keep {
  if (translation.kept && translation.reply === reply) return translation.kept
  translation.reply = reply
  translation.kept = keep(translation, events)
  return translation.kept
}

function keep({ client, context, conversation, reply }: Translation, events?: number): Keep {
  const { keeping } = client
  const kept = reply && keeping?.keep(conversation, reply, events)
  if (!kept) return {}
  if (sizeOf(kept) > largestKept) {
    context.drop('store', 'with all that was said before it the response is too large to be kept')
    return {}
  }
  const canGoOn = keeping?.isComplete(reply) && !conversation.isPartial
  return { kept, binds: canGoOn ? 'chain' : 'own' }
}
