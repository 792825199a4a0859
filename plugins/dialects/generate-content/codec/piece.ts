import type { JsonObject, Piece } from '../../../../src/codec.ts'
import { part } from '../../../../src/usage.ts'

/** The one text of a chunk of one candidate that goes on. */
export function pieceOf({ candidates }: JsonObject): Piece | undefined {
  if (!Array.isArray(candidates) || candidates.length !== 1) return undefined
  const { content, finishReason } = (candidates[0] ?? {}) as JsonObject
  const parts = part({ content }, 'content')?.parts
  if (finishReason !== undefined || !Array.isArray(parts) || parts.length !== 1) return undefined
  const holder = (parts[0] ?? {}) as Record<string, unknown>
  return typeof holder.text === 'string' && holder.text !== '' ? { holder, key: 'text' } : undefined
}
