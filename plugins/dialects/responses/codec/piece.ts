import type { JsonObject, Piece } from '../../../../src/codec.ts'
import { deltas } from './deltas.ts'

/** The text of an event that is more of something. */
export function pieceOf({ type, delta, logprobs }: JsonObject): Piece | undefined {
  const isAlone = !Array.isArray(logprobs) || logprobs.length === 0
  return deltas.has(String(type)) && isAlone && typeof delta === 'string' && delta !== ''
    ? { key: 'delta', text: delta }
    : undefined
}

/** Its place in the stream, and padding against those who guess by length. */
export const noise = ['sequence_number', 'obfuscation']
