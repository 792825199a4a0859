import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

/** The end of an answer whose call lacks a signature that the next request would need. */
const noSignature = 'MISSING_THOUGHT_SIGNATURE'

/**
 * The neutral stop reason for each `finishReason` (docs/wire/gemini.md; `MODEL_ARMOR` is Vertex AI's). Other servers
 * write it in small letters.
 */
const reasons = new TextMap<StopReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filtered'],
  ['RECITATION', 'filtered'],
  ['BLOCKLIST', 'filtered'],
  ['PROHIBITED_CONTENT', 'filtered'],
  ['SPII', 'filtered'],
  ['IMAGE_SAFETY', 'filtered'],
  ['IMAGE_PROHIBITED_CONTENT', 'filtered'],
  ['IMAGE_RECITATION', 'filtered'],
  ['FINISH_REASON_UNSPECIFIED', 'stop'],
  ['LANGUAGE', 'stop'],
  ['OTHER', 'stop'],
  ['NO_IMAGE', 'stop'],
  ['IMAGE_OTHER', 'stop'],
  ['MALFORMED_FUNCTION_CALL', 'stop'],
  ['MALFORMED_RESPONSE', 'stop'],
  ['UNEXPECTED_TOOL_CALL', 'stop'],
  ['TOO_MANY_TOOL_CALLS', 'stop'],
  ['CONTINUATION', 'paused'],
  ['MODEL_ARMOR', 'filtered'],
  [noSignature, 'length'],
])

const finishReasons: Readonly<Record<StopReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  context: 'MAX_TOKENS',
  filtered: 'SAFETY',
  refused: 'SAFETY',
  paused: 'STOP',
}

/**
 * Whether a candidate without content has failed: it is neither complete, nor cut short or blocked, by its reason. The
 * model wrote something malformed, or the reason is unknown.
 */
export function isUnusableEnd(finishReason: string | undefined): boolean {
  const word = finishReason?.toUpperCase()
  if (word === undefined || word === 'STOP') return false
  return word === noSignature || (reasons.get(word) ?? 'stop') === 'stop'
}

/** Returns the neutral stop of a candidate. `raw` has the original reason, also an unknown one. */
export function readStop(finishReason: string | undefined, hasCalls: boolean): Stop {
  const known = (finishReason !== undefined && reasons.get(finishReason.toUpperCase())) || 'stop'
  const reason = known === 'stop' && hasCalls ? 'tool_calls' : known
  return { reason, ...(finishReason !== undefined && { raw: finishReason }) }
}

/**
 * Returns the `finishReason` for a client: the raw reason if it is one of this dialect. It never returns
 * `CONTINUATION`, with which the official SDK would send requests for ever.
 */
export function writeStop({ reason, raw }: Stop, hasRefusal: boolean): string {
  const ordinary = reason === 'stop' && hasRefusal ? finishReasons.refused : finishReasons[reason]
  const known = raw === undefined ? undefined : reasons.get(raw)
  const isOwn = known !== undefined && known !== 'paused' && finishReasons[known] === ordinary
  return raw !== undefined && isOwn ? raw : ordinary
}
