import OpenAI from 'openai-7'

import type { Call, Conversation, Driver, Opening, Part, Reply, Settings } from '../conversation.ts'
import { openaiProblem } from './openai-problem.ts'

type Completion = OpenAI.Chat.ChatCompletion
type Message = OpenAI.Chat.ChatCompletionMessageParam
type Request = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming

/** Users keep the messages themselves and send every one of them back. */
export const chatDriver: Driver = { open, problemOf: openaiProblem }

function open(opening: Opening): Conversation {
  const { settings, fetch } = opening
  const messages: Message[] = []
  if (settings.system) messages.push({ role: 'system', content: settings.system })

  const ask = async (...said: Message[]) => {
    const { url, key, model, stream } = opening
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0, fetch })
    messages.push(...said)
    const request = { model, messages, ...fieldsOf(settings) }
    const { completion, reasoning } = stream
      ? await streamed(client, request)
      : whole(await client.chat.completions.create(request))
    const message = completion.choices[0]?.message
    if (message) messages.push(message)
    return readCompletion(completion, reasoning)
  }

  return {
    say: (parts) => ask({ role: 'user', content: parts.map(contentOf) }),
    answer: (results) =>
      ask(
        ...results.map(({ call, text }): Message => {
          return { role: 'tool', tool_call_id: call.id ?? '', content: text }
        }),
      ),
  }
}

function fieldsOf(settings: Settings): Partial<Request> {
  const { tools, forced, schema, reasoning, search, stop, maxTokens } = settings
  return {
    ...(tools && { tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })) }),
    ...(search && { web_search_options: {} }),
    ...(forced && { tool_choice: { type: 'function', function: { name: forced } } }),
    ...(schema && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema },
      },
    }),
    ...(reasoning && { reasoning_effort: 'medium' }),
    ...(stop && { stop: [stop] }),
    ...(maxTokens && { max_completion_tokens: maxTokens }),
  }
}

function contentOf(part: Part): OpenAI.Chat.ChatCompletionContentPart {
  if ('text' in part) return { type: 'text', text: part.text }
  if ('image' in part) {
    const { type, data } = part.image
    return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }
  }
  const { name, type, data } = part.document
  return { type: 'file', file: { filename: name, file_data: `data:${type};base64,${data}` } }
}

interface Told {
  readonly completion: Completion
  readonly reasoning: string
}

function whole(completion: Completion): Told {
  return { completion, reasoning: thoughtsOf(completion.choices[0]?.message) }
}

/** What was thought stands in a field that the SDK does not know, so that users join its pieces. */
async function streamed(client: OpenAI, request: Request): Promise<Told> {
  const fields = { ...request, stream: true, stream_options: { include_usage: true } } as const
  let reasoning = ''
  const stream = client.chat.completions.stream(fields).on('chunk', ({ choices }) => {
    reasoning += thoughtsOf(choices[0]?.delta)
  })
  return { completion: await stream.finalChatCompletion(), reasoning }
}

function thoughtsOf(said: object | undefined): string {
  const { reasoning_content: thoughts } = (said ?? {}) as { reasoning_content?: string | null }
  return thoughts ?? ''
}

function readCompletion({ choices, usage }: Completion, reasoning: string): Reply {
  const [choice] = choices
  return {
    text: choice?.message.content ?? '',
    reasoning,
    refusal: choice?.message.refusal ?? '',
    calls: (choice?.message.tool_calls ?? []).flatMap((call): Call[] =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
        : [],
    ),
    ending: choice?.finish_reason ?? '',
    usage: { input: usage?.prompt_tokens, output: usage?.completion_tokens },
  }
}
