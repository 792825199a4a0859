import type { GenerateEvent, PartHead } from '../../../src/generate/events.ts'
import { encodeStream, framesOf, replyContext } from './codec.ts'

/** Events of a reply, and what a client's stream is made of. */

export const call = (id: string): PartHead => ({
  type: 'tool_call',
  id,
  name: 'weather',
  kind: 'function',
})

export const begin = (index: number, part: PartHead): GenerateEvent => ({
  type: 'part',
  index,
  choice: 0,
  part,
})

export const delta = (index: number, text: string): GenerateEvent => ({
  type: 'delta',
  index,
  text,
})

export const end = (index: number): GenerateEvent => ({ type: 'end', index })

export const finish: GenerateEvent[] = [
  { type: 'stop', choice: 0, stop: { reason: 'stop' } },
  { type: 'finish', usage: { inputTokens: 12, cachedTokens: 2, outputTokens: 5 } },
]

/** What happens, block by block. */
export function outline(events: GenerateEvent[], context = replyContext()): unknown[] {
  return framesOf(encodeStream(events, context)).map((frame) => {
    const { type, index, content_block: block, delta: more } = frame
    if (block) return [index, block.type, block.id ?? block.data]
    if (type === 'content_block_delta') return [index, ...Object.values(more ?? {})]
    return type === 'content_block_stop' ? [index] : type
  })
}
