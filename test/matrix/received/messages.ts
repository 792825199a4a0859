import type Anthropic from 'anthropic-1'

import { joinTurns, type Received, type ReceivedTurn, turnOf } from './received.ts'

type Request = Anthropic.MessageCreateParams
type Block = Anthropic.ContentBlockParam

export function readMessagesRequest(request: Request): Received {
  const { system = [], messages, tools, tool_choice: choice, thinking } = request
  return {
    system: textOf(system),
    turns: joinTurns(messages.map(readMessage)),
    tools: (tools ?? []).flatMap((tool) => {
      if (!('input_schema' in tool)) return []
      const { name, description, input_schema: parameters } = tool
      return [{ name, description, parameters }]
    }),
    forced: choice?.type === 'tool' ? choice.name : undefined,
    schema: request.output_config?.format?.schema,
    reasoning: thinking?.type === 'enabled' || thinking?.type === 'adaptive',
    search: (tools ?? []).some(({ type }) => type?.startsWith('web_search')),
    stop: request.stop_sequences ?? [],
    maxTokens: request.max_tokens,
    stream: request.stream ?? false,
  }
}

function readMessage({ role, content }: Anthropic.MessageParam): ReceivedTurn {
  if (role !== 'user' && role !== 'assistant') throw new Error(`There is a message of ${role}.`)
  if (typeof content === 'string') return turnOf({ role, text: content })
  return {
    role,
    text: textOf(content),
    files: content.flatMap(readFile),
    calls: content
      .filter((block) => block.type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, input })),
    results: content
      .filter((block) => block.type === 'tool_result')
      .map((block) => ({ id: block.tool_use_id, text: textOf(block.content ?? []) })),
    signatures: content.flatMap((block) => (block.type === 'thinking' ? [block.signature] : [])),
  }
}

function readFile(block: Block) {
  if (block.type !== 'image' && block.type !== 'document') return []
  const { source, type: kind } = block
  return source.type === 'base64' ? [{ kind, type: source.media_type, data: source.data }] : []
}

function textOf(content: string | readonly { readonly type: string }[]): string {
  if (typeof content === 'string') return content
  const texts = content.filter(({ type }) => type === 'text') as Anthropic.TextBlockParam[]
  return texts.map(({ text }) => text).join('')
}
