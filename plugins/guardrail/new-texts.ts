import { textsOfFile } from '../../src/kit/codec/file-readings.ts'
import { assertReadable } from '../../src/kit/codec/file-text.ts'
import type { AssistantPart, UserPart } from '../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../src/generate/request.ts'

/**
 * The texts that are new in a request: those behind the last turn of the model. A turn of the model at the end is a
 * beginning of its answer that the client writes.
 */
export function newTexts({ turns }: GenerateRequest): string {
  assertReadable({ turns })
  const end = turns.findLastIndex(({ role }) => role !== 'assistant') + 1
  const from = turns.slice(0, end).findLastIndex(({ role }) => role === 'assistant') + 1
  const texts: string[] = []
  for (const parts of turns.slice(from).flatMap(listsOf)) {
    let isText = false
    for (const part of parts) {
      if (part.type === 'text') texts.push((isText ? texts.pop()! : '') + part.text)
      isText = part.type === 'text'
      if (part.type !== 'file') continue
      const all = [part.title, part.context, ...textsOfFile(part)]
      texts.push(...all.filter((text) => text !== undefined))
    }
  }
  return texts.join('\n')
}

/** Parts of text beside each other in one of these lists are one text. */
function listsOf(turn: Turn): readonly (readonly (AssistantPart | UserPart)[])[] {
  return turn.role === 'tool' ? turn.results.map(({ content }) => content) : [turn.content]
}
