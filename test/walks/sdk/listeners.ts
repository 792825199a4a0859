import { streamText } from 'ai'

import { aiProviders, once } from './ai.ts'
import { anthropicVersions } from './anthropic.ts'
import { genaiVersions } from './genai.ts'
import { chatHelpers, openaiVersions } from './openai.ts'
import { collect, type Walk } from './walk.ts'

/** A way to read a stream with one of the SDKs. */
export interface Listener {
  readonly client: string
  /** Reads to the end, and notes every word as it comes. Rejects where the SDK raises. */
  listen(walk: Walk, model: string, heard: string[]): Promise<unknown>
  /** Whether an error is one of those that the SDK raises for a stream that broke. */
  isRaised(error: unknown): boolean
  /** The oldest SDK of Gemini takes an error inside a stream for an empty chunk. */
  readonly hearsErrors: boolean
  /** Events of the sandbox that announce an answer and say nothing of it yet. */
  readonly announcements: number
}

const messages = [{ role: 'user' as const, content: 'hi' }]

const openaiListeners: Listener[] = openaiVersions.flatMap(({ name, OpenAI, connect }) => {
  const isRaised = (error: unknown) => error instanceof OpenAI.APIError
  const responses = { isRaised, hearsErrors: true, announcements: 2 }
  const chat = { isRaised, hearsErrors: true, announcements: 1 }
  return [
    {
      ...responses,
      client: `${name}, iterating over responses`,
      async listen(walk, model, heard) {
        const asked = { model, input: 'hi', stream: true as const }
        for await (const event of await connect(walk).responses.create(asked))
          if (event.type === 'response.output_text.delta') heard.push(event.delta)
      },
    },
    {
      ...responses,
      client: `${name}, the helper of responses`,
      listen(walk, model, heard) {
        const stream = connect(walk).responses.stream({ model, input: 'hi' })
        stream.on('response.output_text.delta', ({ delta }) => void heard.push(delta))
        return stream.finalResponse()
      },
    },
    {
      ...chat,
      client: `${name}, iterating over chat`,
      async listen(walk, model, heard) {
        const asked = { model, messages, stream: true as const }
        for await (const { choices } of await connect(walk).chat.completions.create(asked))
          heard.push(choices[0]?.delta.content ?? '')
      },
    },
    {
      ...chat,
      client: `${name}, the helper of chat`,
      listen(walk, model, heard) {
        const stream = chatHelpers(connect(walk)).stream({ model, messages })
        stream.on('content', (delta) => void heard.push(delta))
        return stream.finalChatCompletion()
      },
    },
  ]
})

const anthropicListeners: Listener[] = anthropicVersions.flatMap(({ name, Anthropic, connect }) => {
  const shared = {
    isRaised: (error: unknown) => error instanceof Anthropic.APIError && error.type !== null,
    hearsErrors: true,
    announcements: 2,
  }
  return [
    {
      ...shared,
      client: `${name}, iterating`,
      async listen(walk, model, heard) {
        const asked = { model, messages, max_tokens: 100, stream: true as const }
        for await (const event of await connect(walk).messages.create(asked))
          if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
            heard.push(event.delta.text)
      },
    },
    {
      ...shared,
      client: `${name}, the helper`,
      listen(walk, model, heard) {
        const stream = connect(walk).messages.stream({ model, messages, max_tokens: 100 })
        stream.on('text', (delta) => void heard.push(delta))
        return stream.finalMessage()
      },
    },
  ]
})

const genaiListeners: Listener[] = genaiVersions.map(
  ({ name, ApiError, hearsErrors, connect }) => ({
    client: name,
    async listen(walk, model, heard) {
      const asked = { model, contents: 'hi' }
      for await (const { text } of await connect(walk).models.generateContentStream(asked))
        heard.push(text ?? '')
    },
    isRaised: (error) => error instanceof (hearsErrors ? ApiError : TypeError),
    hearsErrors,
    announcements: 0,
  }),
)

const aiListeners: Listener[] = aiProviders.map(({ name, announcements, model }) => ({
  client: name,
  async listen(walk, id, heard) {
    const errors: unknown[] = []
    const { fullStream } = streamText({
      ...once,
      model: model(walk, id),
      prompt: 'hi',
      onChunk: ({ chunk }) => void (chunk.type === 'text-delta' && heard.push(chunk.text)),
      onError: ({ error }) => void errors.push(error),
    })
    const ended = await collect(fullStream).catch(() => [])
    if (errors.length > 0) throw errors[0]
    if (ended.at(-1)?.type !== 'finish') throw new Error('The stream has no end.')
  },
  isRaised: (error) => error instanceof Error && error.name.startsWith('AI_'),
  hearsErrors: true,
  announcements,
}))

export const listeners: Listener[] = [
  ...openaiListeners,
  ...anthropicListeners,
  ...genaiListeners,
  ...aiListeners,
]
