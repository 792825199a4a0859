import type { Routed } from '../exchange.ts'
import type { Change } from '../kept.ts'
import { largestChanged, sizeOf } from '../kept-size.ts'
import type { TranslationServices } from './services.ts'
import type { Translation } from './translation.ts'

/** Writes down what later turns need of this one, where neither client nor account keeps it. */
export function rememberReply(
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
  const kept = progress.ranking?.kept
  const { keeping } = client
  const isIn = call.refersTo.some(({ use }) => use === 'own')
  if (!kept || !reply || !isIn || !keeping?.isComplete(reply)) return undefined
  const append: Change = (value) => {
    const longer = keeping.append(value, conversation, reply)
    if (sizeOf(longer) <= largestChanged) return longer
    context.drop('conversation', 'it is too large for this reply to become a part of it')
    return value
  }
  return kept.extend(append)
}
