import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/**
 * A stored response as the events of its stream, those after a sequence number. They are fewer than
 * those that told it first, of which there were `told`; the last one has its number still, so that
 * whoever lost that stream gets at least the end.
 */
export function replay(response: JsonObject, after: number, told = 0): string {
  const events = eventsOf(response)
  const last = Math.max(events.length, told) - 1
  const frames = events.map(({ type, ...data }, index) => {
    const sequence = index === events.length - 1 ? last : index
    if (sequence <= after) return ''
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...data })}\n\n`
  })
  return `${frames.join('')}data: [DONE]\n\n`
}

function eventsOf(response: JsonObject): Told[] {
  const begun = { ...response, ...nothingYet }
  return [
    event('response.created', { response: begun }),
    event('response.in_progress', { response: begun }),
    ...objectsIn(response.output).flatMap((item, index) => itemEvents(item, index)),
    event(`response.${stringAt(response, 'status') ?? 'completed'}`, { response }),
  ]
}

/** What a response says of itself before anything of it has come. */
const nothingYet = {
  status: 'in_progress',
  output: [],
  output_text: '',
  usage: null,
  completed_at: null,
  incomplete_details: null,
}

interface Told extends JsonObject {
  readonly type: string
}

function event(type: string, data: JsonObject): Told {
  return { type, ...data }
}

function itemEvents(item: JsonObject, index: number): Told[] {
  const place = { item_id: item.id, output_index: index }
  return [
    event('response.output_item.added', { output_index: index, item: begun(item) }),
    ...contentEvents(item, place),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

/** An item before anything of it has come. */
function begun(item: JsonObject): JsonObject {
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

function contentEvents(item: JsonObject, place: JsonObject): Told[] {
  switch (item.type) {
    case 'message':
      return objectsIn(item.content).flatMap((said, index) =>
        partEvents(said, { ...place, content_index: index }),
      )
    case 'reasoning':
      return [
        ...objectsIn(item.summary).flatMap((said, index) =>
          summaryEvents(said, { ...place, summary_index: index }),
        ),
        ...objectsIn(item.content).flatMap((said, index) =>
          partEvents(said, { ...place, content_index: index }),
        ),
      ]
    case 'function_call':
      return argumentEvents('response.function_call_arguments', 'arguments', item, place)
    case 'custom_tool_call':
      return argumentEvents('response.custom_tool_call_input', 'input', item, place)
    default:
      return []
  }
}

const partNames: Readonly<Record<string, readonly [type: string, field: string]>> = {
  output_text: ['response.output_text', 'text'],
  refusal: ['response.refusal', 'refusal'],
  reasoning_text: ['response.reasoning_text', 'text'],
}

function partEvents(said: JsonObject, place: JsonObject): Told[] {
  const [type, field] = partNames[stringAt(said, 'type') ?? ''] ?? []
  if (type === undefined || field === undefined) return []
  const logprobs = type === 'response.output_text' && { logprobs: said.logprobs ?? [] }
  return [
    event('response.content_part.added', { ...place, part: { ...said, [field]: '' } }),
    event(`${type}.delta`, { ...place, delta: said[field], ...logprobs }),
    event(`${type}.done`, { ...place, [field]: said[field], ...logprobs }),
    event('response.content_part.done', { ...place, part: said }),
  ]
}

function summaryEvents(said: JsonObject, place: JsonObject): Told[] {
  return [
    event('response.reasoning_summary_part.added', { ...place, part: { ...said, text: '' } }),
    event('response.reasoning_summary_text.delta', { ...place, delta: said.text }),
    event('response.reasoning_summary_text.done', { ...place, text: said.text }),
    event('response.reasoning_summary_part.done', { ...place, part: said }),
  ]
}

function argumentEvents(type: string, field: string, item: JsonObject, place: JsonObject): Told[] {
  return [
    event(`${type}.delta`, { ...place, delta: item[field] }),
    event(`${type}.done`, { ...place, name: item.name, [field]: item[field] }),
  ]
}
