import type { JsonObject, Piece } from '../../../../src/codec.ts'

/** The one text of a chunk of one choice. */
export function pieceOf({ choices, usage }: JsonObject): Piece | undefined {
  if (!Array.isArray(choices) || choices.length !== 1 || usage) return undefined
  const { delta, finish_reason: reason } = (choices[0] ?? {}) as JsonObject
  if (typeof delta !== 'object' || delta === null || reason) return undefined
  const holder = delta as Record<string, unknown>
  return typeof holder.content === 'string' && holder.content !== ''
    ? { holder, key: 'content' }
    : undefined
}
