import OpenAI from 'openai-7'

import { type Client, type Said, tools } from './conversation.ts'

/** Keeps the conversation itself, so that it asks for its reasoning encrypted. */
export const responsesClient: Client = {
  name: 'a responses client',
  speaks: 'responses',
  open(where) {
    const input: OpenAI.Responses.ResponseInputItem[] = []
    let called: OpenAI.Responses.ResponseFunctionToolCall[] = []

    async function say(): Promise<Said> {
      const { gateway, model, stream } = where
      const baseURL = `${gateway.url}/v1`
      const client = new OpenAI({ apiKey: gateway.key, baseURL, maxRetries: 0 })
      const asked = {
        model,
        input,
        store: false,
        include: ['reasoning.encrypted_content' as const],
        reasoning: { effort: 'medium' as const, summary: 'auto' as const },
        tools: tools.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
      }
      const { output, output_text } = stream
        ? await client.responses.stream(asked).finalResponse()
        : await client.responses.create(asked)
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]))
      called = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
      return {
        text: output_text,
        calls: called.map(({ call_id, name }) => ({ id: call_id, name })),
      }
    }

    return {
      ask(text) {
        input.push({ role: 'user', content: text })
        return say()
      },
      answer(results) {
        const outputs = called.map(({ call_id }, index) => {
          return { type: 'function_call_output' as const, call_id, output: results[index]! }
        })
        input.push(...outputs.toReversed())
        return say()
      },
    }
  },
}
