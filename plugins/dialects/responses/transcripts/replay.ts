import { Readable } from 'node:stream'

import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'
import { nextTurn } from '../../../../src/lib/turns.ts'

/** In characters. */
const largeResponse = 64 * 1024

/**
 * Returns the frames of a stored response whose sequence number is above `after`. The replay has
 * fewer events than the original stream, which had `originalCount`; its last event keeps the original
 * number, so that a client that resumes a lost stream gets at least the end. The frames of a large
 * response are written while the client reads them.
 */
export function replay(response: JsonObject, after: number, originalCount = 0): string | Readable {
  const events = eventsOf(response)
  const last = Math.max(events.length, originalCount) - 1
  const numbered = events
    .map((data, index) => ({ data, sequence: index === events.length - 1 ? last : index }))
    .filter(({ sequence }) => sequence > after)
  if (JSON.stringify(response).length > largeResponse) {
    return Readable.from(writeFrames(numbered), { objectMode: false })
  }
  return numbered.map(frameOf).join('') + done
}

interface NumberedEvent {
  readonly data: ReplayEvent
  readonly sequence: number
}

const done = 'data: [DONE]\n\n'

/** Several events repeat the whole text of a part. */
async function* writeFrames(events: readonly NumberedEvent[]): AsyncGenerator<Buffer> {
  for (const event of events) {
    await nextTurn()
    yield Buffer.from(frameOf(event))
  }
  yield Buffer.from(done)
}

function frameOf({ data: { type, ...data }, sequence }: NumberedEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...data })}\n\n`
}

function eventsOf(response: JsonObject): ReplayEvent[] {
  const started = { ...response, ...emptyResponse }
  return [
    event('response.created', { response: started }),
    event('response.in_progress', { response: started }),
    ...objectsIn(response.output).flatMap((item, index) => itemEvents(item, index)),
    event(`response.${stringAt(response, 'status') ?? 'completed'}`, { response }),
  ]
}

/** Members of a response before its first output. */
const emptyResponse = {
  status: 'in_progress',
  output: [],
  output_text: '',
  usage: null,
  completed_at: null,
  incomplete_details: null,
}

interface ReplayEvent extends JsonObject {
  readonly type: string
}

function event(type: string, data: JsonObject): ReplayEvent {
  return { type, ...data }
}

function itemEvents(item: JsonObject, index: number): ReplayEvent[] {
  const position = { item_id: item.id, output_index: index }
  return [
    event('response.output_item.added', { output_index: index, item: startedItem(item) }),
    ...contentEvents(item, position),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

/** Returns an item before its first delta. */
function startedItem(item: JsonObject): JsonObject {
  const status = 'status' in item ? { status: 'in_progress' } : {}
  switch (item.type) {
    case 'message':
      return { ...item, ...status, content: [] }
    case 'reasoning':
      return { ...item, ...status, summary: [], ...('content' in item && { content: [] }) }
    case 'function_call':
      return { ...item, ...status, arguments: '' }
    case 'custom_tool_call':
      return { ...item, ...status, input: '' }
    default:
      return { ...item, ...status }
  }
}

function contentEvents(item: JsonObject, position: JsonObject): ReplayEvent[] {
  switch (item.type) {
    case 'message':
      return objectsIn(item.content).flatMap((part, index) =>
        partEvents(part, { ...position, content_index: index }),
      )
    case 'reasoning':
      return [
        ...objectsIn(item.summary).flatMap((part, index) =>
          summaryEvents(part, { ...position, summary_index: index }),
        ),
        ...objectsIn(item.content).flatMap((part, index) =>
          partEvents(part, { ...position, content_index: index }),
        ),
      ]
    case 'function_call':
      return argumentEvents('response.function_call_arguments', 'arguments', item, position)
    case 'custom_tool_call':
      return argumentEvents('response.custom_tool_call_input', 'input', item, position)
    default:
      return []
  }
}

const partNames: Readonly<Record<string, readonly [type: string, field: string]>> = {
  output_text: ['response.output_text', 'text'],
  refusal: ['response.refusal', 'refusal'],
  reasoning_text: ['response.reasoning_text', 'text'],
}

function partEvents(part: JsonObject, position: JsonObject): ReplayEvent[] {
  const [type, field] = partNames[stringAt(part, 'type') ?? ''] ?? []
  if (type === undefined || field === undefined) return []
  const logprobs = type === 'response.output_text' && { logprobs: part.logprobs ?? [] }
  return [
    event('response.content_part.added', { ...position, part: { ...part, [field]: '' } }),
    event(`${type}.delta`, { ...position, delta: part[field], ...logprobs }),
    event(`${type}.done`, { ...position, [field]: part[field], ...logprobs }),
    event('response.content_part.done', { ...position, part }),
  ]
}

function summaryEvents(part: JsonObject, position: JsonObject): ReplayEvent[] {
  return [
    event('response.reasoning_summary_part.added', { ...position, part: { ...part, text: '' } }),
    event('response.reasoning_summary_text.delta', { ...position, delta: part.text }),
    event('response.reasoning_summary_text.done', { ...position, text: part.text }),
    event('response.reasoning_summary_part.done', { ...position, part }),
  ]
}

function argumentEvents(
  type: string,
  field: string,
  item: JsonObject,
  position: JsonObject,
): ReplayEvent[] {
  return [
    event(`${type}.delta`, { ...position, delta: item[field] }),
    event(`${type}.done`, { ...position, name: item.name, [field]: item[field] }),
  ]
}
