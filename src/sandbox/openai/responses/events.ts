import { type JsonObject, objectsOf, textOf } from '../../json.ts'
import { deltasOf } from '../../text/words.ts'
import type { Frame } from '../../wire/frame.ts'
import { emptyItem, partsOfItem } from './items.ts'
import { unfinishedResponse } from './reply.ts'

/** An event without its sequence number, which depends on its place in the stream. */
type Event = JsonObject & { type: string }

/**
 * Renders a finished response as a stream, from `response.created` on. OpenAI sends no `[DONE]`.
 */
export function renderResponseEvents(response: JsonObject, inOnePiece = false): Frame[] {
  const output = objectsOf(response['output'])
  const events = [
    ...openingOf(response),
    ...output.flatMap((item, index) => eventsOfItem(item, index, inOnePiece)),
    { type: terminalTypeOf(response), response },
  ]
  return events.map(frameOf)
}

/** The error event of a stream, with flat members, as OpenAI's SDK types it. */
export function renderErrorEvent(
  sequenceNumber: number,
  message: string,
  code = 'server_error',
): Frame {
  return frameOf({ type: 'error', code, message, param: null }, sequenceNumber)
}

/** Renders an event at its place in the stream. */
export function frameOf({ type, ...rest }: Event, sequenceNumber: number): Frame {
  return { name: type, data: { type, sequence_number: sequenceNumber, ...rest } }
}

function openingOf(response: JsonObject): Event[] {
  const running = unfinishedResponse(response, 'in_progress')
  const started = { type: 'response.in_progress', response: running }
  if (response['background'] !== true)
    return [{ type: 'response.created', response: running }, started]
  const queued = unfinishedResponse(response, 'queued')
  return [
    { type: 'response.created', response: queued },
    { type: 'response.queued', response: queued },
    started,
  ]
}

// The stream of a cancelled response ends with `response.failed`.
function terminalTypeOf(response: JsonObject): string {
  const status = textOf(response['status'])
  return `response.${status === 'cancelled' ? 'failed' : status}`
}

function eventsOfItem(item: JsonObject, output_index: number, inOnePiece: boolean): Event[] {
  return [
    { type: 'response.output_item.added', output_index, item: emptyItem(item) },
    ...contentsOf(item, inOnePiece).map((event) => ({
      ...event,
      item_id: item['id'],
      output_index,
    })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function contentsOf(item: JsonObject, inOnePiece: boolean): Event[] {
  switch (item['type']) {
    case 'message':
      return partsOfItem(item).flatMap((part, index) => eventsOfPart(part, index, inOnePiece))
    case 'reasoning':
      return objectsOf(item['summary']).flatMap(eventsOfSummary)
    case 'function_call':
      return eventsOfArguments('function_call_arguments', 'arguments', item)
    default:
      return eventsOfArguments('custom_tool_call_input', 'input', item)
  }
}

function eventsOfPart(part: JsonObject, content_index: number, inOnePiece: boolean): Event[] {
  const [type, field] =
    part['type'] === 'refusal' ? ['refusal', 'refusal'] : ['output_text', 'text']
  const text = textOf(part[field])
  const logprobs = field === 'text' ? { logprobs: [] } : {}
  return [
    { type: 'response.content_part.added', content_index, part: { ...part, [field]: '' } },
    ...deltasOf(text, inOnePiece).map((delta) => ({
      type: `response.${type}.delta`,
      content_index,
      delta,
      ...logprobs,
    })),
    { type: `response.${type}.done`, content_index, [field]: text, ...logprobs },
    { type: 'response.content_part.done', content_index, part },
  ]
}

function eventsOfSummary(part: JsonObject, summary_index: number): Event[] {
  const text = textOf(part['text'])
  return [
    { type: 'response.reasoning_summary_part.added', summary_index, part: { ...part, text: '' } },
    ...deltasOf(text).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      summary_index,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', summary_index, text },
    { type: 'response.reasoning_summary_part.done', summary_index, part },
  ]
}

function eventsOfArguments(kind: string, field: string, item: JsonObject): Event[] {
  const whole = textOf(item[field])
  return [
    ...deltasOf(whole).map((delta) => ({ type: `response.${kind}.delta`, delta })),
    { type: `response.${kind}.done`, name: item['name'], [field]: whole },
  ]
}
