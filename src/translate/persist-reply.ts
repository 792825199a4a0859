import type { Routed } from '../contract/exchange.ts'
import type { Produced } from '../contract/outcome.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { ResourceUpdate } from '../contract/stored.ts'
import { maxUpdatedBytes, maxStoredBytes, storedSizeOf } from '../kit/stored-size.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { Translation } from './translation.ts'

/** Writes down what later turns need of this one, where neither client nor account keeps it. */
export function persistReply(
  exchange: Routed,
  translation: Translation,
  { signatures }: TranslationServices,
): Promise<void> | undefined {
  const calls = translation.signatures?.calls ?? []
  if (calls.length > 0) return signatures.keep(exchange.caller.keyId, calls)
  return appendToConversation(exchange, translation)
}

/** What was asked and answered to the end joins the conversation that it belongs to. */
function appendToConversation(
  { call, progress }: Routed,
  { client, context, conversation, reply }: Translation,
): Promise<void> | undefined {
  const kept = progress.routing?.stored
  const { transcripts } = client
  const isIn = call.refersTo.some(({ use }) => use === 'own')
  if (!kept || !reply || !isIn || !transcripts?.isComplete(reply)) return undefined
  const append: ResourceUpdate = (value) => {
    const longer = transcripts.append(value, conversation, reply)
    if (storedSizeOf(longer) <= maxUpdatedBytes) return longer
    context.drop('conversation', 'it is too large for this reply to become a part of it')
    return value
  }
  return kept.updateLater(append)
}

type Keep = Pick<Produced, 'binds' | 'stored'>

/** What is kept of a complete reply, and what later calls may do with it. */
export function storeReply(
  translation: Translation,
  reply: JsonObject | undefined,
  events?: number,
): Keep {
  if (translation.stored && translation.reply === reply) return translation.stored
  translation.reply = reply
  translation.stored = keep(translation, events)
  return translation.stored
}

function keep({ client, context, conversation, reply }: Translation, events?: number): Keep {
  const { transcripts } = client
  const kept = reply && transcripts?.transcriptOf(conversation, reply, events)
  if (!kept) return {}
  if (storedSizeOf(kept) > maxStoredBytes) {
    context.drop('store', 'with all that was said before it the response is too large to be kept')
    return {}
  }
  const canGoOn = transcripts?.isComplete(reply) && !conversation.isPartial
  return { stored: kept, binds: canGoOn ? 'chain' : 'own' }
}
