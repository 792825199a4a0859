import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, streamText } from 'ai'
import AnthropicBefore1 from 'anthropic-0'
import Anthropic from 'anthropic-1'

const prompt = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }] }

/** What a client has understood of a reply. */
export interface Understood {
  readonly text: string
  readonly thoughts: string
  readonly calls: readonly unknown[]
  readonly finish: string | null | undefined
  readonly input: number | undefined
  readonly output: number | undefined
}

export interface SdkClient {
  /** Reads a whole reply from this origin. */
  whole(url: string): Promise<Understood>
  streamed(url: string): Promise<Understood>
}

interface Message {
  readonly content: readonly object[]
  readonly stop_reason: string | null
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number }
}

function understand({ content, stop_reason, usage }: Message): Understood {
  const blocks = content as Readonly<Record<string, unknown>>[]
  const all = (type: string, key: string) =>
    blocks
      .filter((block) => block.type === type)
      .map((block) => String(block[key]))
      .join('')
  return {
    text: all('text', 'text'),
    thoughts: all('thinking', 'thinking'),
    calls: blocks.filter(({ type }) => type === 'tool_use').map(({ id, input }) => [id, input]),
    finish: stop_reason,
    input: usage.input_tokens,
    output: usage.output_tokens,
  }
}

function official(Client: typeof Anthropic | typeof AnthropicBefore1): SdkClient {
  const at = (url: string) =>
    new Client({ apiKey: 'k', baseURL: url, maxRetries: 0 }) as unknown as Anthropic
  return {
    whole: async (url) => understand(await at(url).messages.create(prompt)),
    async streamed(url) {
      const stream = at(url).messages.stream(prompt)
      let text = ''
      for await (const event of stream) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
          text += event.delta.text
        }
      }
      const understood = understand(await stream.finalMessage())
      if (understood.text !== text) throw new Error('The events and the message differ.')
      return understood
    },
  }
}

const model = (url: string) => createAnthropic({ apiKey: 'k', baseURL: `${url}/v1` })('m')
const ask = { prompt: 'hi', maxRetries: 0, maxOutputTokens: 100 }
const names: Record<string, string> = { stop: 'end_turn', 'tool-calls': 'tool_use' }

const vercel: SdkClient = {
  async whole(url) {
    const reply = await generateText({ ...ask, model: model(url) })
    return {
      text: reply.text,
      thoughts: reply.reasoningText ?? '',
      calls: reply.toolCalls.map(({ toolCallId, input }) => [toolCallId, input]),
      finish: names[reply.finishReason],
      input: reply.usage.inputTokens,
      output: reply.usage.outputTokens,
    }
  },
  async streamed(url) {
    const errors: unknown[] = []
    const reply = streamText({
      ...ask,
      model: model(url),
      onError: (error) => void errors.push(error),
    })
    await reply.consumeStream()
    if (errors.length > 0) throw new Error('The stream had errors.', { cause: errors[0] })
    const usage = await reply.usage
    return {
      text: await reply.text,
      thoughts: (await reply.reasoningText) ?? '',
      calls: (await reply.toolCalls).map(({ toolCallId, input }) => [toolCallId, input]),
      finish: names[await reply.finishReason],
      input: usage.inputTokens,
      output: usage.outputTokens,
    }
  },
}

export const sdkClients: Record<string, SdkClient> = {
  'the official SDK 1.x': official(Anthropic),
  'the official SDK 0.x': official(AnthropicBefore1),
  'the AI SDK': vercel,
}
