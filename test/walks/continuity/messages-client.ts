import Anthropic from 'anthropic-0'

import { type Client, type Said, tools } from './conversation.ts'

/** Thinks with a budget, for which accounts are strictest. */
export const messagesClient: Client = {
  name: 'a messages client',
  speaks: 'messages',
  open(where) {
    const messages: Anthropic.MessageParam[] = []
    let uses: Anthropic.ToolUseBlock[] = []

    async function say(): Promise<Said> {
      const { gateway, model, stream } = where
      const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 })
      const asked = {
        model,
        max_tokens: 4096,
        thinking: { type: 'enabled' as const, budget_tokens: 2048 },
        messages,
        tools: tools.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
      }
      const { content } = stream
        ? await client.messages.stream(asked).finalMessage()
        : await client.messages.create(asked)
      messages.push({ role: 'assistant', content })
      uses = content.filter((block) => block.type === 'tool_use')
      const texts = content.map((block) => (block.type === 'text' ? block.text : ''))
      return { text: texts.join(''), calls: uses.map(({ id, name }) => ({ id, name })) }
    }

    return {
      ask(text) {
        messages.push({ role: 'user', content: text })
        return say()
      },
      answer(results) {
        const blocks = uses.map(({ id }, index) => {
          return { type: 'tool_result' as const, tool_use_id: id, content: results[index]! }
        })
        messages.push({ role: 'user', content: blocks.toReversed() })
        return say()
      },
    }
  },
}
