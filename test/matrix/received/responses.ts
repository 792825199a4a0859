import type OpenAI from 'openai-7'

import { fileOf, joinTurns, type Received, type ReceivedTurn, turnOf } from './received.ts'

type Request = OpenAI.Responses.ResponseCreateParams
type Item = OpenAI.Responses.ResponseInputItem
type Content = OpenAI.Responses.EasyInputMessage['content']

export function readResponsesRequest(request: Request): Received {
  const { instructions, input = [], tools, tool_choice: choice, text, reasoning } = request
  const items: Item[] =
    typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : [...input]
  const format = text?.format
  return {
    system: [instructions ?? '', ...items.map(systemOf)].join(''),
    turns: joinTurns(items.flatMap(readItem)),
    tools: (tools ?? []).flatMap((tool) =>
      tool.type === 'function'
        ? [{ name: tool.name, description: tool.description, parameters: tool.parameters }]
        : [],
    ),
    forced: typeof choice === 'object' && choice.type === 'function' ? choice.name : undefined,
    schema: format?.type === 'json_schema' ? format.schema : undefined,
    reasoning: (reasoning?.effort ?? 'none') !== 'none',
    search: (tools ?? []).some(({ type }) => type.startsWith('web_search')),
    stop: [],
    maxTokens: request.max_output_tokens ?? undefined,
    stream: request.stream ?? false,
  }
}

function systemOf(item: Item): string {
  if (!('content' in item) || !('role' in item)) return ''
  return item.role === 'system' || item.role === 'developer' ? textOf(item.content) : ''
}

function readItem(item: Item): ReceivedTurn[] {
  switch (item.type) {
    case 'reasoning':
      return [turnOf({ role: 'assistant', signatures: [item.encrypted_content ?? ''] })]
    case 'function_call': {
      const { call_id: id, name } = item
      const calls = [{ id, name, input: JSON.parse(item.arguments) as unknown }]
      return [turnOf({ role: 'assistant', calls })]
    }
    case 'function_call_output': {
      const results = [{ id: item.call_id ?? undefined, text: textOf(item.output as Content) }]
      return [turnOf({ role: 'user', results })]
    }
    default:
      if (!('content' in item) || !('role' in item)) return []
      return readMessage(item.role, item.content as Content)
  }
}

function readMessage(role: string, content: Content): ReceivedTurn[] {
  if (role !== 'user' && role !== 'assistant') return []
  const files = typeof content === 'string' ? [] : content.flatMap(readFile)
  return [turnOf({ role, text: textOf(content), files })]
}

function readFile(part: OpenAI.Responses.ResponseInputContent) {
  if (part.type === 'input_image') return [fileOf('image', part.image_url ?? '')]
  if (part.type === 'input_file') return [fileOf('document', part.file_data ?? '')]
  return []
}

function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.map((part) => ('text' in part ? part.text : '')).join('')
}
