import Anthropic, { APIError } from 'anthropic-1'

import type {
  Conversation,
  Driver,
  Opening,
  Part,
  Problem,
  Reply,
  Settings,
} from '../conversation.ts'

type Message = Anthropic.MessageParam
type Block = Anthropic.ContentBlockParam
type Request = Anthropic.MessageCreateParamsNonStreaming

/** Users keep the messages themselves and send every one of them back. */
export const messagesDriver: Driver = { open, problemOf }

function open(opening: Opening): Conversation {
  const { settings, fetch } = opening
  const messages: Message[] = []

  const ask = async (content: Block[]) => {
    const { url, key, model, stream } = opening
    const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0, fetch })
    messages.push({ role: 'user', content })
    const request = { model, messages, ...fieldsOf(settings) } as Request
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    messages.push({ role: 'assistant', content: message.content })
    return readMessage(message)
  }

  return {
    say: (parts) => ask(parts.map(blockOf)),
    answer: (results) =>
      ask(
        results.map(({ call, text }) => {
          return { type: 'tool_result', tool_use_id: call.id ?? '', content: text }
        }),
      ),
  }
}

function fieldsOf(settings: Settings): Partial<Request> {
  const { system, tools, forced, schema, reasoning, search, stop, maxTokens = 4096 } = settings
  return {
    max_tokens: maxTokens,
    ...(system && { system }),
    ...(tools && { tools: tools.map(toolOf) }),
    ...(search && { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    ...(forced && { tool_choice: { type: 'tool', name: forced } }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(reasoning && { thinking: { type: 'enabled', budget_tokens: 2048 } }),
    ...(stop && { stop_sequences: [stop] }),
  }
}

function toolOf({ name, description, parameters }: NonNullable<Settings['tools']>[number]) {
  return { name, description, input_schema: { ...parameters, type: 'object' as const } }
}

function blockOf(part: Part): Block {
  if ('text' in part) return { type: 'text', text: part.text }
  if ('image' in part) {
    const { type, data } = part.image
    return { type: 'image', source: { type: 'base64', media_type: type as 'image/png', data } }
  }
  const { name, data } = part.document
  const source = { type: 'base64', media_type: 'application/pdf', data } as const
  return { type: 'document', title: name, source }
}

function readMessage({ content, stop_reason, usage }: Anthropic.Message): Reply {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const isRefused = stop_reason === 'refusal'
  return {
    text: isRefused ? '' : text,
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    refusal: isRefused ? text : '',
    calls: content
      .filter((block) => block.type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, input })),
    ending: stop_reason ?? '',
    usage: { input: usage.input_tokens, output: usage.output_tokens },
  }
}

interface Envelope {
  readonly error?: { readonly details?: readonly { readonly param?: string | null }[] }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof APIError)) throw error
  const { status, message } = error
  const { details } = (error.error as Envelope | undefined)?.error ?? {}
  const [detail] = Array.isArray(details) ? details : []
  return { raised: error.constructor.name, status, message, field: detail?.param ?? undefined }
}
