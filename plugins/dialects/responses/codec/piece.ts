import type { JsonObject, Piece } from '../../../../src/codec.ts'

/** The text of an event that is more of something. */
export function pieceOf(event: JsonObject): Piece | undefined {
  const { type, delta } = event
  const isPiece = typeof type === 'string' && type.endsWith('.delta') && typeof delta === 'string'
  return isPiece ? { holder: event, key: 'delta' } : undefined
}

/** Its place in the stream, and padding against those who guess by length. */
export const noise = ['sequence_number', 'obfuscation']
