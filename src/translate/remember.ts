import type { Outcome, Routed } from '../exchange.ts'
import type { TranslationServices } from './services.ts'
import type { Translation } from './translation.ts'

/** Writes down what later turns need of this one, where neither client nor account keeps it. */
export function rememberReply(
  exchange: Routed,
  translation: Translation,
  services: TranslationServices,
  { status }: Outcome,
): Promise<void> | undefined {
  const calls = translation.signatures?.calls ?? []
  if (calls.length > 0) return services.signatures.keep(exchange.caller.keyId, calls)
  return status === 'completed' ? appendToConversation(exchange, translation, services) : undefined
}

/** What was asked and answered joins the conversation that it belongs to. */
function appendToConversation(
  { call, id, progress }: Routed,
  { client, conversation, reply }: Translation,
  { log }: TranslationServices,
): Promise<void> | undefined {
  const kept = progress.ranking?.kept
  const { keeping } = client
  if (!kept || !keeping || !reply || !call.refersTo.some(({ use }) => use === 'own')) return
  return kept
    .change((value) => keeping.append(value, conversation, reply))
    .then(
      () => {},
      (error: unknown) =>
        log.warn('a conversation could not be continued', {
          request_id: id,
          error: String(error),
        }),
    )
}
