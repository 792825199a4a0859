import type OpenAI from 'openai-7'

import { fileOf, joinTurns, type Received, type ReceivedTurn, turnOf } from './received.ts'

type Request = OpenAI.Chat.ChatCompletionCreateParams
type Message = OpenAI.Chat.ChatCompletionMessageParam
type Part = OpenAI.Chat.ChatCompletionContentPart
type Content = Message['content']

export function readChatRequest(request: Request): Received {
  const { messages, tools, tool_choice: choice, response_format: format, stop } = request
  return {
    system: messages.map(systemOf).join(''),
    turns: joinTurns(messages.flatMap(readMessage)),
    tools: (tools ?? []).flatMap((tool) => {
      if (tool.type !== 'function') return []
      const { name, description, parameters } = tool.function
      return [{ name, description, parameters }]
    }),
    forced:
      typeof choice === 'object' && choice.type === 'function' ? choice.function.name : undefined,
    schema: format?.type === 'json_schema' ? format.json_schema.schema : undefined,
    reasoning: (request.reasoning_effort ?? 'none') !== 'none',
    search: request.web_search_options !== undefined,
    stop: typeof stop === 'string' ? [stop] : (stop ?? []),
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    stream: request.stream ?? false,
  }
}

function systemOf({ role, content }: Message): string {
  return role === 'system' || role === 'developer' ? textOf(content) : ''
}

function readMessage(message: Message): ReceivedTurn[] {
  const { role, content } = message
  if (role === 'user') {
    const files = typeof content === 'string' ? [] : content.flatMap(readFile)
    return [turnOf({ role, text: textOf(content), files })]
  }
  if (role === 'tool') {
    const results = [{ id: message.tool_call_id, text: textOf(content) }]
    return [turnOf({ role: 'user', results })]
  }
  if (role !== 'assistant') return []
  return [turnOf({ role, text: textOf(content), calls: callsOf(message) })]
}

function callsOf({ tool_calls: calls = [] }: OpenAI.Chat.ChatCompletionAssistantMessageParam) {
  return calls.flatMap((call) => {
    if (call.type !== 'function') return []
    const { name } = call.function
    return [{ id: call.id, name, input: JSON.parse(call.function.arguments) as unknown }]
  })
}

function readFile(part: Part) {
  if (part.type === 'image_url') return [fileOf('image', part.image_url.url)]
  if (part.type === 'file') return [fileOf('document', part.file.file_data ?? '')]
  return []
}

function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('')
}
