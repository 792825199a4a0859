import { type JsonObject, objectsOf, textOf } from '../json.ts'
import type { TextResult } from '../text/result.ts'
import { deltasOf } from '../text/words.ts'
import type { Frame } from '../wire/frame.ts'
import { renderStop, renderMessageUsage } from './reply.ts'

type Event = JsonObject & { type: string }

/** Renders a message as a stream, with the ping that Anthropic sends after the start. */
export function renderMessageEvents(message: JsonObject, answer: TextResult): Frame[] {
  const { usage } = answer
  const atStart = usage ? { usage: renderMessageUsage({ ...usage, output: 1, reasoning: 0 }) } : {}
  const atEnd = usage ? { usage: renderMessageUsage(usage) } : {}
  const opening = { ...message, content: [], ...noStop, ...atStart }
  const events: Event[] = [
    { type: 'message_start', message: opening },
    { type: 'ping' },
    ...objectsOf(message['content']).flatMap((block, index) =>
      eventsOfBlock(block, index, answer.inOnePiece),
    ),
    { type: 'message_delta', delta: renderStop(answer), ...atEnd },
    { type: 'message_stop' },
  ]
  return events.map((event) => ({ name: event.type, data: event }))
}

const noStop = { stop_reason: null, stop_sequence: null, stop_details: null }

function eventsOfBlock(block: JsonObject, index: number, inOnePiece: boolean): Event[] {
  const [content_block, deltas] = splitBlock(block, inOnePiece)
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** The block of `content_block_start`, and the deltas that follow. */
function splitBlock(block: JsonObject, inOnePiece: boolean): [JsonObject, JsonObject[]] {
  switch (block['type']) {
    case 'thinking': {
      const thoughts = deltasOf(textOf(block['thinking']))
      const deltas = thoughts.map((thinking) => ({ type: 'thinking_delta', thinking }))
      const signature = { type: 'signature_delta', signature: block['signature'] }
      return [{ ...block, thinking: '', signature: '' }, [...deltas, signature]]
    }
    case 'text': {
      const texts = deltasOf(textOf(block['text']), inOnePiece)
      return [{ ...block, text: '' }, texts.map((text) => ({ type: 'text_delta', text }))]
    }
    default: {
      const pieces = ['', ...deltasOf(JSON.stringify(block['input']))]
      const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
      return [{ ...block, input: {} }, deltas]
    }
  }
}
