import type { GenerateCodec } from '../../../contract/codec.ts'
import type { Framing } from '../../../contract/framing.ts'
import type { AssistantPart } from '../../../generate/content.ts'
import type { GenerateEvent, PartHead } from '../../../generate/events.ts'
import type { GenerateRequest } from '../../../generate/request.ts'
import { isObject } from '../../../lib/json/object.ts'
import { parseOrUndefined } from '../../../lib/json/read.ts'
import { readEvents } from '../../../translate/read-events.ts'

/**
 * The parts of the first choice of a reply in the client's dialect. A stream may be cut anywhere: only its
 * complete parts count. Throws for bytes that are no reply.
 */
export function readReply(
  bytes: Buffer,
  codec: GenerateCodec,
  request: GenerateRequest,
  framing: Framing,
): readonly AssistantPart[] {
  const whole = parseOrUndefined(bytes.toString())
  if (isObject(whole)) {
    const result = codec.decodeResult(whole, request)
    return 'choices' in result ? (result.choices[0]?.content ?? []) : []
  }
  const collected: { head: PartHead; text: string }[] = []
  const collect = (event: GenerateEvent) => {
    if (event.type === 'part' && event.choice === 0) {
      collected[event.index] = { head: event.part, text: '' }
    } else if (event.type === 'delta') {
      const part = collected[event.index]
      if (part) part.text += event.text
    }
  }
  const decoder = codec.decodeEvents(request, collect)
  const sink = {
    data(data: string, name: string) {
      const json = parseOrUndefined(data)
      if (isObject(json)) decoder.decode(json, name)
    },
    done: () => {},
  }
  const frames = framing.join().feed(bytes)
  if (frames) readEvents(frames, sink, framing)
  return collected.flatMap(({ head, text }) => partOf(head, text))
}

function partOf(head: PartHead, text: string): AssistantPart[] {
  switch (head.type) {
    case 'text':
    case 'refusal':
      return [{ type: head.type, text }]
    case 'reasoning':
      return [{ ...head, text }]
    case 'tool_call':
      return [{ ...head, arguments: text }]
    default:
      return []
  }
}
