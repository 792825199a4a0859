import Anthropic from 'anthropic-1'
import { type Content, GoogleGenAI, type Part } from 'genai-3'
import OpenAI from 'openai-7'

/** What a client asks for. */
interface Asked {
  readonly stream: boolean
  /** The base64 of a PNG that stands beside the text. */
  readonly image?: string
  /** Offers the tool `weather`, and answers its calls with `sunny`. */
  readonly hasTool?: boolean
}

/** What a client has read: the names of the tools that were called, and the text at the end. */
export interface Said {
  readonly called: readonly string[]
  readonly text: string
}

/** The official client of a dialect, in front of a gateway. */
export interface CloudClient {
  readonly dialect: string
  say(model: string, text: string, asked: Asked): Promise<Said>
}

const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
}
const description = 'The weather of a city'
const name = 'weather'

/** The official clients of the four dialects. */
export function cloudClients(gateway: { url: string; key: string }): readonly CloudClient[] {
  const { key: apiKey, url } = gateway
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })
  const genai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  return [
    { dialect: 'chat', say: (...asked) => sayInChat(openai, ...asked) },
    { dialect: 'responses', say: (...asked) => sayInResponses(openai, ...asked) },
    { dialect: 'messages', say: (...asked) => sayInMessages(anthropic, ...asked) },
    { dialect: 'generate', say: (...asked) => sayInGemini(genai, ...asked) },
  ]
}

/** Rounds of tools in one conversation. */
const mostRounds = 3

type Says<Client> = (client: Client, model: string, text: string, asked: Asked) => Promise<Said>

const sayInChat: Says<OpenAI> = async (client, model, text, { stream, image, hasTool }) => {
  const picture = {
    type: 'image_url' as const,
    image_url: { url: `data:image/png;base64,${image}` },
  }
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: [{ type: 'text', text }, ...(image ? [picture] : [])] },
  ]
  const parameters = { name, description, parameters: schema }
  const tools = hasTool ? [{ type: 'function' as const, function: parameters }] : undefined
  const called: string[] = []
  for (let round = 0; round < mostRounds; round++) {
    const body = { model, messages, ...(tools && { tools }) }
    const reply = stream
      ? await client.chat.completions.stream(body).finalChatCompletion()
      : await client.chat.completions.create(body)
    const message = reply.choices[0]!.message
    const calls = (message.tool_calls ?? []).filter((one) => one.type === 'function')
    if (calls.length === 0) return { called, text: message.content ?? '' }
    called.push(...calls.map((one) => one.function.name))
    const results = calls.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'sunny',
    }))
    messages.push(message, ...results)
  }
  throw new Error('The tools never end.')
}

const sayInResponses: Says<OpenAI> = async (client, model, text, { stream, image, hasTool }) => {
  const picture = {
    type: 'input_image' as const,
    detail: 'auto' as const,
    image_url: `data:image/png;base64,${image}`,
  }
  const input: OpenAI.Responses.ResponseInputItem[] = [
    { role: 'user', content: [{ type: 'input_text', text }, ...(image ? [picture] : [])] },
  ]
  const tools = hasTool
    ? [{ type: 'function' as const, strict: false, name, description, parameters: schema }]
    : undefined
  const called: string[] = []
  for (let round = 0; round < mostRounds; round++) {
    const body = { model, input, store: false, ...(tools && { tools }) }
    const reply = stream
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body)
    const calls = reply.output.flatMap((one) => (one.type === 'function_call' ? [one] : []))
    if (calls.length === 0) return { called, text: reply.output_text }
    called.push(...calls.map((one) => one.name))
    const results = calls.map(({ call_id }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: 'sunny',
    }))
    input.push(...(reply.output as OpenAI.Responses.ResponseInputItem[]), ...results)
  }
  throw new Error('The tools never end.')
}

const sayInMessages: Says<Anthropic> = async (client, model, text, { stream, image, hasTool }) => {
  const picture = {
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: 'image/png' as const, data: image ?? '' },
  }
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: [{ type: 'text', text }, ...(image ? [picture] : [])] },
  ]
  const tools = hasTool ? [{ name, description, input_schema: schema }] : undefined
  const called: string[] = []
  for (let round = 0; round < mostRounds; round++) {
    const body = { model, max_tokens: 500, messages, ...(tools && { tools }) }
    const reply = stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body)
    const calls = reply.content.filter((one) => one.type === 'tool_use')
    const texts = reply.content.flatMap((one) => (one.type === 'text' ? one.text : []))
    if (calls.length === 0) return { called, text: texts.join('') }
    called.push(...calls.map((one) => one.name))
    const results = calls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: 'sunny',
    }))
    messages.push({ role: 'assistant', content: reply.content }, { role: 'user', content: results })
  }
  throw new Error('The tools never end.')
}

const sayInGemini: Says<GoogleGenAI> = async (client, model, text, { stream, image, hasTool }) => {
  const picture = { inlineData: { mimeType: 'image/png', data: image ?? '' } }
  const contents: Content[] = [{ role: 'user', parts: [{ text }, ...(image ? [picture] : [])] }]
  const tools = hasTool
    ? [{ functionDeclarations: [{ name, description, parametersJsonSchema: schema }] }]
    : undefined
  const called: string[] = []
  for (let round = 0; round < mostRounds; round++) {
    const body = { model, contents, ...(tools && { config: { tools } }) }
    const parts: Part[] = []
    if (stream) {
      for await (const { candidates } of await client.models.generateContentStream(body))
        parts.push(...(candidates?.[0]?.content?.parts ?? []))
    } else {
      const { candidates } = await client.models.generateContent(body)
      parts.push(...(candidates?.[0]?.content?.parts ?? []))
    }
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    const texts = parts.flatMap((one) => (one.thought ? [] : (one.text ?? [])))
    if (calls.length === 0) return { called, text: texts.join('') }
    called.push(...calls.map((one) => one.name ?? ''))
    const results = calls.map(({ id, name: of }) => ({
      functionResponse: { ...(id && { id }), name: of ?? '', response: { output: 'sunny' } },
    }))
    contents.push({ role: 'model', parts }, { role: 'user', parts: results })
  }
  throw new Error('The tools never end.')
}
