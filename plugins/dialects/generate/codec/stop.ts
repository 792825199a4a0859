import type { Stop, StopReason } from '../../../../src/generate/result.ts'

const reasons = new Map<string, StopReason>([
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
])

/** The model failed at its own form. Without anything usable that is a failure of the upstream. */
const malformed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
])

const words: Readonly<Record<StopReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  context: 'MAX_TOKENS',
  filtered: 'SAFETY',
  refused: 'SAFETY',
  paused: 'STOP',
}

export function isMalformed(finishReason: string | undefined): boolean {
  return finishReason !== undefined && malformed.has(finishReason)
}

/** Why a candidate ended. Whatever is not known stays readable as `raw`. */
export function readStop(finishReason: string | undefined, hasCalls: boolean): Stop {
  const told = (finishReason !== undefined && reasons.get(finishReason)) || 'stop'
  const reason = told === 'stop' && hasCalls ? 'tool_calls' : told
  return { reason, ...(finishReason !== undefined && { raw: finishReason }) }
}

/**
 * The `finishReason` of a stop: the raw one where it is a word of this dialect. Never
 * `CONTINUATION`: the official SDK would ask on for ever. A refusal is no ordinary answer.
 */
export function writeStop({ reason, raw }: Stop, hasRefusal: boolean): string {
  const word = reason === 'stop' && hasRefusal ? words.refused : words[reason]
  const meant = raw === undefined ? undefined : reasons.get(raw)
  return raw !== undefined && meant !== undefined && meant !== 'paused' && words[meant] === word
    ? raw
    : word
}
