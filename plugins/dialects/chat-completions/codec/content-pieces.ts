import { objectsIn, text } from '../../../../src/usage.ts'
import type { Prose } from './prose.ts'

/** A content that some providers write as a list of texts and thoughts. */
export function sayPieces(list: unknown, prose: Prose): void {
  for (const piece of objectsIn(list)) {
    if (piece.type === 'thinking') sayThoughts(piece.thinking, prose)
    else if (piece.type === 'text') sayText('content', piece, prose)
    else if (piece.type === 'refusal') {
      const refusal = text(piece, 'refusal')
      if (refusal) prose.say('refusal', refusal)
    }
  }
}

function sayThoughts(thinking: unknown, prose: Prose): void {
  if (typeof thinking === 'string' && thinking !== '') prose.say('reasoning_content', thinking)
  for (const thought of objectsIn(thinking)) sayText('reasoning_content', thought, prose)
}

function sayText(field: 'content' | 'reasoning_content', piece: unknown, prose: Prose): void {
  const said = text(piece, 'text')
  if (said) prose.say(field, said)
}
