import OpenAI, { APIError } from 'openai-7'

import type { Client, Conversation, Helper, Opening, Said } from './client.ts'

type Item = OpenAI.Responses.ResponseInputItem

export const responsesClient: Client = {
  open,
  isRaised: (error) => error instanceof APIError,
  done: 'completed',
  waiting: 'completed',
}

function open({ url, key, model, stream, system, helpers }: Opening): Conversation {
  const { responses } = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const input: Item[] = []

  const ask = async (...more: Item[]) => {
    input.push(...more)
    const request = {
      model,
      input,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      ...(system && { instructions: system }),
      ...(helpers && { tools: helpers.map(toolOf) }),
    }
    const response = stream
      ? await responses.stream(request).finalResponse()
      : await responses.create(request)
    input.push(...(response.output as Item[]))
    return readResponse(response)
  }

  return {
    say: (text) => ask({ role: 'user', content: text }),
    answer: (calls, text) =>
      ask(
        ...calls.map(({ id = '' }): Item => {
          return { type: 'function_call_output', call_id: id, output: text }
        }),
      ),
  }
}

function toolOf({ name, about, takes }: Helper): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description: about, parameters: takes, strict: false }
}

function readResponse({ output, output_text, status, usage }: OpenAI.Responses.Response): Said {
  return {
    text: output_text,
    calls: output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }]
        : [],
    ),
    ending: status,
    usage: [usage?.input_tokens, usage?.output_tokens],
  }
}
