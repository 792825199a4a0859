import type { JsonObject, Piece } from '../../../../src/codec.ts'

const keys: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
}

/** The text of a block's delta. */
export function pieceOf({ type, delta }: JsonObject): Piece | undefined {
  if (type !== 'content_block_delta' || typeof delta !== 'object' || delta === null)
    return undefined
  const holder = delta as Record<string, unknown>
  const key = keys[String(holder.type)]
  return key !== undefined && typeof holder[key] === 'string' ? { holder, key } : undefined
}
