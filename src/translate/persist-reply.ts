import type { Routed } from '../contract/exchange.ts'
import type { Produced } from '../contract/outcome.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { ResourceUpdate } from '../contract/stored.ts'
import { maxUpdatedBytes, maxStoredBytes, storedSizeOf } from '../kit/stored-size.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { Translation } from './translation.ts'

/**
 * Writes the state that later turns need, if neither the client nor the account has it: signatures, or
 * the reply as part of its conversation. Undefined if there is nothing to write.
 */
export function persistReply(
  exchange: Routed,
  translation: Translation,
  { signatures }: TranslationServices,
): Promise<void> | undefined {
  const calls = translation.signatures?.calls ?? []
  if (calls.length > 0) return signatures.keep(exchange.caller.keyId, calls)
  return appendToConversation(exchange, translation)
}

/** Appends a complete turn to the stored conversation that the call refers to. */
function appendToConversation(
  { call, progress }: Routed,
  { client, context, conversation, reply }: Translation,
): Promise<void> | undefined {
  const resource = progress.routing?.stored
  const { transcripts } = client
  const isIn = call.refersTo.some(({ use }) => use === 'own')
  if (!resource || !reply || !isIn || !transcripts?.isComplete(reply)) return undefined
  const append: ResourceUpdate = (value) => {
    const longer = transcripts.append(value, conversation, reply)
    if (storedSizeOf(longer) <= maxUpdatedBytes) return longer
    context.drop('conversation', 'it is too large for this reply to become a part of it')
    return value
  }
  return resource.updateLater(append)
}

type StoredReply = Pick<Produced, 'binds' | 'stored'>

/**
 * The resource to store for a complete reply, and its use by later calls. `events` is the number of
 * events of a stream. Repeated calls for the same reply return the same object.
 */
export function storeReply(
  translation: Translation,
  reply: JsonObject | undefined,
  events?: number,
): StoredReply {
  if (translation.stored && translation.reply === reply) return translation.stored
  translation.reply = reply
  translation.stored = transcriptOf(translation, events)
  return translation.stored
}

function transcriptOf(
  { client, context, conversation, reply }: Translation,
  events?: number,
): StoredReply {
  const { transcripts } = client
  const transcript = reply && transcripts?.transcriptOf(conversation, reply, events)
  if (!transcript) return {}
  if (storedSizeOf(transcript) > maxStoredBytes) {
    context.drop(
      'store',
      'the response, with the conversation before it, is too large to be stored',
    )
    return {}
  }
  const canContinue = transcripts?.isComplete(reply) && !conversation.isPartial
  return { stored: transcript, binds: canContinue ? 'chain' : 'own' }
}
