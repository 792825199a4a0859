import type { AssistantPart } from './content.ts'
import type { GenerateEvent, PartHead } from './events.ts'
import type { GenerateResult } from './result.ts'

/** Returns the events of a complete reply: the inverse of `Collector`. */
export function eventsOf(result: GenerateResult): GenerateEvent[] {
  const { choices, usage, ...start } = result
  const events: GenerateEvent[] = [{ type: 'start', ...start }]
  let index = 0
  for (const [choice, { content, stop }] of choices.entries()) {
    for (const part of content) {
      events.push({ type: 'part', index, choice, part: headOf(part) }, ...bodyOf(part, index))
      events.push({ type: 'end', index })
      index++
    }
    events.push({ type: 'stop', choice, stop })
  }
  events.push({ type: 'finish', usage })
  return events
}

function headOf(part: AssistantPart): PartHead {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: part.type }
    case 'reasoning':
      return { type: 'reasoning', form: part.form }
    case 'tool_call':
      return { type: 'tool_call', id: part.id, name: part.name, kind: part.kind }
    case 'image':
    case 'audio':
      return {
        type: part.type,
        mediaType: part.mediaType ?? 'application/octet-stream',
        base64: part.source.kind === 'data' ? part.source.base64 : '',
      }
  }
}

function bodyOf(part: AssistantPart, index: number): GenerateEvent[] {
  const events: GenerateEvent[] = []
  const text = textOf(part)
  const logprobs = part.type === 'text' && part.logprobs
  if (text !== '') events.push({ type: 'delta', index, text, ...(logprobs && { logprobs }) })
  if (part.type === 'text') {
    for (const citation of part.citations ?? []) events.push({ type: 'citation', index, citation })
  }
  if ('signature' in part && part.signature) {
    events.push({ type: 'signature', index, signature: part.signature })
  }
  return events
}

function textOf(part: AssistantPart): string {
  if (part.type === 'tool_call') return part.arguments
  return 'text' in part ? part.text : ''
}
