import OpenAI, { APIError } from 'openai-7'

import type { Client, Conversation, Helper, Opening, Said } from './client.ts'

type Message = OpenAI.Chat.ChatCompletionMessageParam

export const chatClient: Client = {
  open,
  isRaised: (error) => error instanceof APIError,
  done: 'stop',
  waiting: 'tool_calls',
}

function open({ url, key, model, stream, system, helpers }: Opening): Conversation {
  const { completions } = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }).chat
  const messages: Message[] = system ? [{ role: 'system', content: system }] : []

  const ask = async (...more: Message[]) => {
    messages.push(...more)
    const request = { model, messages, ...(helpers && { tools: helpers.map(toolOf) }) }
    const completion = stream
      ? await completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await completions.create(request)
    if (completion.choices[0]) messages.push(completion.choices[0].message)
    return readCompletion(completion)
  }

  return {
    say: (text) => ask({ role: 'user', content: text }),
    answer: (calls, text) =>
      ask(
        ...calls.map(({ id = '' }): Message => ({ role: 'tool', tool_call_id: id, content: text })),
      ),
  }
}

function toolOf({ name, about, takes }: Helper): OpenAI.Chat.ChatCompletionTool {
  return { type: 'function', function: { name, description: about, parameters: takes } }
}

function readCompletion({ choices, usage }: OpenAI.Chat.ChatCompletion): Said {
  const [choice] = choices
  return {
    text: choice?.message.content ?? '',
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    ),
    ending: choice?.finish_reason,
    usage: [usage?.prompt_tokens, usage?.completion_tokens],
  }
}
