import OpenAI from 'openai-7'

import type { Call, Conversation, Driver, Opening, Part, Reply, Settings } from '../conversation.ts'
import { openaiProblem } from './openai-problem.ts'

type Item = OpenAI.Responses.ResponseInputItem
type Request = OpenAI.Responses.ResponseCreateParamsNonStreaming
type Stream = Parameters<OpenAI['responses']['stream']>[0]

/** Users keep the items themselves and send every one of them back. */
export const responsesDriver: Driver = { open, problemOf: openaiProblem }

function open(opening: Opening): Conversation {
  const { settings, fetch } = opening
  const items: Item[] = []

  const ask = async (...said: Item[]) => {
    const { url, key, model, stream } = opening
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, fetch })
    items.push(...said)
    const request = { model, input: items, store: false, ...fieldsOf(settings) } as Request
    const response = stream
      ? await client.responses.stream(request as Stream).finalResponse()
      : await client.responses.create(request)
    items.push(...(response.output as Item[]))
    return readResponse(response)
  }

  return {
    say: (parts) => ask({ type: 'message', role: 'user', content: parts.map(contentOf) }),
    answer: (results) =>
      ask(
        ...results.map(({ call, text }): Item => {
          return { type: 'function_call_output', call_id: call.id ?? '', output: text }
        }),
      ),
  }
}

/** There are no stop sequences in this dialect; who believes there are writes them like this. */
function fieldsOf(settings: Settings): Partial<Request> & { stop?: string } {
  const { system, tools, forced, schema, reasoning, search, stop, maxTokens } = settings
  return {
    ...(system && { instructions: system }),
    ...(tools && { tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })) }),
    ...(search && { tools: [{ type: 'web_search' }] }),
    ...(forced && { tool_choice: { type: 'function', name: forced } }),
    ...(schema && {
      text: { format: { type: 'json_schema', name: 'answer', strict: true, schema } },
    }),
    ...(reasoning && {
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
    ...(stop && { stop }),
    ...(maxTokens && { max_output_tokens: maxTokens }),
  }
}

function contentOf(part: Part): OpenAI.Responses.ResponseInputContent {
  if ('text' in part) return { type: 'input_text', text: part.text }
  if ('image' in part) {
    const { type, data } = part.image
    return { type: 'input_image', detail: 'auto', image_url: `data:${type};base64,${data}` }
  }
  const { name, type, data } = part.document
  return { type: 'input_file', filename: name, file_data: `data:${type};base64,${data}` }
}

function readResponse(response: OpenAI.Responses.Response): Reply {
  const { output, output_text, usage, status, incomplete_details } = response
  const content = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  return {
    text: output_text,
    reasoning: output.map(thoughtsOf).join(''),
    refusal: content.map((part) => (part.type === 'refusal' ? part.refusal : '')).join(''),
    calls: output.flatMap((item): Call[] =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }]
        : [],
    ),
    ending: incomplete_details?.reason ?? status ?? '',
    usage: { input: usage?.input_tokens, output: usage?.output_tokens },
  }
}

function thoughtsOf(item: OpenAI.Responses.ResponseOutputItem): string {
  if (item.type !== 'reasoning') return ''
  return [...item.summary, ...(item.content ?? [])].map(({ text }) => text).join('')
}
