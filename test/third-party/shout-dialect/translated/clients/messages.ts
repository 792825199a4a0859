import Anthropic, { APIError } from 'anthropic-1'

import type { Client, Conversation, Helper, Opening, Said } from './client.ts'

type Block = Anthropic.ContentBlockParam

export const messagesClient: Client = {
  open,
  isRaised: (error) => error instanceof APIError,
  done: 'end_turn',
  waiting: 'tool_use',
}

function open({ url, key, model, stream, system, helpers }: Opening): Conversation {
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = []

  const ask = async (content: Block[]) => {
    messages.push({ role: 'user', content })
    const request = {
      model,
      messages,
      max_tokens: 1000,
      ...(system && { system }),
      ...(helpers && { tools: helpers.map(toolOf) }),
    }
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    messages.push({ role: 'assistant', content: message.content })
    return readMessage(message)
  }

  return {
    say: (text) => ask([{ type: 'text', text }]),
    answer: (calls, text) =>
      ask(calls.map(({ id = '' }) => ({ type: 'tool_result', tool_use_id: id, content: text }))),
  }
}

function toolOf({ name, about, takes }: Helper): Anthropic.Tool {
  return { name, description: about, input_schema: { ...takes, type: 'object' } }
}

function readMessage({ content, stop_reason, usage }: Anthropic.Message): Said {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content
      .filter((block) => block.type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, input })),
    ending: stop_reason,
    usage: [usage.input_tokens, usage.output_tokens],
  }
}
