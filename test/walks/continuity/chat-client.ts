import OpenAI from 'openai-7'

import type { Client, Conversation, Said, Where } from './conversation.ts'
import { tools } from './conversation.ts'

type Message = OpenAI.ChatCompletionMessage
type Given = OpenAI.ChatCompletionMessageParam

/** Keeps of an answer what the types of the SDK name, and nothing that stands beside it. */
export const plainChatClient: Client = {
  name: 'a chat client',
  speaks: 'chat',
  open: (where) => converse(where, plain),
}

/** Keeps answers as they came. */
export const faithfulChatClient: Client = {
  name: 'a chat client that sends back whatever it gets',
  speaks: 'chat',
  open: (where) => converse(where, (message) => message),
}

function plain({ content, tool_calls }: Message): Given {
  const calls = tool_calls?.map(({ id, type, ...called }) => {
    const { name, arguments: input } = (called as { function: { name: string; arguments: string } })
      .function
    return { id, type, function: { name, arguments: input } }
  })
  return { role: 'assistant', content, ...(calls && { tool_calls: calls }) } as Given
}

function converse(where: Where, keep: (message: Message) => Given): Conversation {
  const messages: Given[] = []
  let last: Message | undefined

  async function say(): Promise<Said> {
    const { gateway, model, stream } = where
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    const asked = {
      model,
      messages,
      reasoning_effort: 'medium' as const,
      tools: tools.map((tool) => ({ type: 'function' as const, function: tool })),
    }
    const completion = stream
      ? await client.chat.completions.stream(asked).finalChatCompletion()
      : await client.chat.completions.create(asked)
    last = completion.choices[0]!.message
    messages.push(keep(last))
    const calls = (last.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.type === 'function' ? call.function.name : '',
    }))
    return { text: last.content ?? '', calls }
  }

  return {
    ask(text) {
      messages.push({ role: 'user', content: text })
      return say()
    },
    answer(results) {
      const answers = (last?.tool_calls ?? []).map(({ id }, index): Given => {
        return { role: 'tool', tool_call_id: id, content: results[index]! }
      })
      messages.push(...answers.toReversed())
      return say()
    },
  }
}
