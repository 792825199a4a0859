import { definePlugin, type EventMapper, GatewayError, type GatewayPlugin } from 'dragoman'

import { textsOf } from './request-texts.ts'
import { StreamMask, type Words, compileWords } from './words.ts'

export interface GuardrailOptions {
  /** Requests that contain one of these words or phrases are answered 422, without an account. */
  readonly refuse?: readonly string[]
  /** Answers have asterisks in place of these. Neither list distinguishes small and capital letters. */
  readonly mask?: readonly string[]
}

export function guardrail({ refuse = [], mask = [] }: GuardrailOptions): GatewayPlugin {
  const refused = compileWords(refuse)
  const masked = compileWords(mask)
  return definePlugin({
    name: 'guardrail',
    async onCall({ exchange, next }) {
      for (const text of textsOf(exchange.body)) {
        if (!refused.foundIn(text)) continue
        // The client sees this message, so it does not repeat the word.
        throw new GatewayError('plugin_rejected', 'This gateway does not serve such requests.')
      }
      return next()
    },
    // With nothing to mask, no mapper: the account's bytes pass as they are.
    onEvents: () => (mask.length > 0 ? maskingMapper(masked) : undefined),
  })
}

/**
 * The parts whose text is masked. Reasoning is not: the provider verifies it when the client sends it
 * back. The arguments of a tool call are not: the call would have another effect.
 */
const maskedParts: ReadonlySet<string> = new Set(['text', 'refusal'])

/** The gateway makes one for each attempt, so nothing of a failed attempt stays. */
function maskingMapper(words: Words): EventMapper {
  /** By part: several may be open at once. */
  const masks = new Map<number, StreamMask>()
  return {
    map(event, emit) {
      if (event.type === 'part' && maskedParts.has(event.part.type)) {
        masks.set(event.index, new StreamMask(words))
      }
      const mask = 'index' in event ? masks.get(event.index) : undefined
      if (!mask || (event.type !== 'delta' && event.type !== 'end')) return emit(event)
      const text = event.type === 'delta' ? mask.push(event.text) : mask.end()
      // A delta without its `logprobs`, because those spell the masked words.
      if (text !== '') emit({ type: 'delta', index: event.index, text })
      if (event.type === 'end') emit(event)
    },
  }
}
