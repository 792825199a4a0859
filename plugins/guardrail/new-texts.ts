import { textOfFile } from '../../src/kit/codec/file-text.ts'
import type { GenerateRequest, Turn } from '../../src/generate/request.ts'

/**
 * The texts that are new in a request: those behind the last turn of the model. A turn of the model at the end is a
 * beginning of its answer that the client writes.
 */
export function newTexts({ turns }: GenerateRequest): string {
  const end = turns.findLastIndex(({ role }) => role !== 'assistant') + 1
  const from = turns.slice(0, end).findLastIndex(({ role }) => role === 'assistant') + 1
  return turns.slice(from).flatMap(textsOf).join('\n')
}

function textsOf(turn: Turn): string[] {
  const parts = turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
  return parts.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    if (part.type !== 'file') return []
    return [part.title, part.context, textOfFile(part)].filter((text) => text !== undefined)
  })
}
