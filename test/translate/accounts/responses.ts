import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type AccountWriter, type Cut, namedFrame, type Said } from './said.ts'

const head = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'gpt-5' }

export const responsesAccount: AccountWriter = {
  frames(said, cut) {
    const events: (JsonObject & { readonly type: string })[] = []
    const send = (type: string, fields: JsonObject) => void events.push({ type, ...fields })
    const begun = { ...head, status: 'in_progress', output: [], usage: null }
    send('response.created', { response: begun })
    send('response.in_progress', { response: begun })
    itemsOf(said).forEach((item, index) => writeItem(item, index, cut, send))
    const response = responsesAccount.body(said)
    send(`response.${String(response.status)}`, { response })
    return events.map((event, sequence_number) => namedFrame({ ...event, sequence_number }))
  },

  body(said) {
    const reason = reasonOf(said)
    return {
      ...head,
      status: reason === undefined ? 'completed' : 'incomplete',
      incomplete_details: reason === undefined ? null : { reason },
      error: null,
      output: itemsOf(said),
      ...usageOf(said),
    }
  },
}

interface Item extends JsonObject {
  readonly id: string
  readonly type: string
}

function itemsOf({ thoughts, text, calls, ending }: Said): Item[] {
  const status = ending === 'done' ? 'completed' : 'incomplete'
  const summary = [{ type: 'summary_text', text: thoughts }]
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return [
    ...(thoughts === '' ? [] : [{ id: 'rs_1', type: 'reasoning', summary }]),
    ...(text === '' ? [] : [{ id: 'msg_1', type: 'message', role: 'assistant', status, content }]),
    ...calls.map(({ id, name, input }, index) => ({
      id: `fc_${index}`,
      type: 'function_call',
      status,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
  ]
}

type Send = (type: string, fields: JsonObject) => void

function writeItem(item: Item, output_index: number, cut: Cut, send: Send): void {
  const at = { item_id: item.id, output_index }
  send('response.output_item.added', { output_index, item: emptied(item) })
  if (item.type === 'function_call') writeArguments(item, at, cut, send)
  else writePart(item, at, cut, send)
  send('response.output_item.done', { output_index, item })
}

function emptied(item: Item): JsonObject {
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  return item.type === 'message'
    ? { ...item, status: 'in_progress', content: [] }
    : { ...item, summary: [] }
}

function writeArguments(item: Item, at: JsonObject, cut: Cut, send: Send): void {
  for (const delta of cut(item.arguments as string)) {
    send('response.function_call_arguments.delta', { ...at, delta })
  }
  send('response.function_call_arguments.done', { ...at, arguments: item.arguments })
}

function writePart(item: Item, at: JsonObject, cut: Cut, send: Send): void {
  const isMessage = item.type === 'message'
  const [part] = (isMessage ? item.content : item.summary) as [{ type: string; text: string }]
  const kind = isMessage ? 'response.content_part' : 'response.reasoning_summary_part'
  const name = isMessage ? 'response.output_text' : 'response.reasoning_summary_text'
  const place = { ...at, ...(isMessage ? { content_index: 0 } : { summary_index: 0 }) }
  const logprobs = isMessage && { logprobs: [] }
  send(`${kind}.added`, { ...place, part: { ...part, text: '' } })
  for (const delta of cut(part.text)) send(`${name}.delta`, { ...place, delta, ...logprobs })
  send(`${name}.done`, { ...place, text: part.text, ...logprobs })
  send(`${kind}.done`, { ...place, part })
}

function reasonOf({ ending }: Said): string | undefined {
  if (ending === 'length') return 'max_output_tokens'
  return ending === 'filtered' ? 'content_filter' : undefined
}

function usageOf({ usage }: Said): JsonObject {
  if (!usage) return { usage: null }
  return {
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: usage.input + usage.output,
    },
  }
}
