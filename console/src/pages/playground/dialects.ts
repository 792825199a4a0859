/** What the form of the Playground says. */
export interface Prompt {
  readonly model: string
  readonly system: string
  readonly text: string
  readonly maxTokens: number
  readonly isStreamed: boolean
}

/** A call of the inference API, as `POST /console/call` takes it. */
export interface PlaygroundCall {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** A dialect of the Playground: how it asks, and where its replies have their text. */
export interface PlaygroundDialect {
  readonly id: string
  readonly name: string
  /** What the last event of a stream has: a stream without it broke off. */
  readonly last: RegExp
  call(prompt: Prompt, key: string): PlaygroundCall
  /** The text of a whole reply. */
  textOf(reply: Json): string
  /** The text of an event of a stream. */
  deltaOf(event: Json): string
}

/** The JSON of a reply; a dialect reads the members that it names. */
export type Json = { readonly [name: string]: Json } & readonly Json[]

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The dialects, in the order of the choice. */
export const playgroundDialects: readonly PlaygroundDialect[] = [
  {
    id: 'responses',
    name: 'Responses',
    last: /"type":\s*"response\.(?:completed|incomplete|failed)"/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/responses',
      headers: bearer(key),
      body: {
        model,
        input: text,
        ...(system !== '' && { instructions: system }),
        max_output_tokens: maxTokens,
        stream: isStreamed,
      },
    }),
    textOf: ({ output }) =>
      listOf(output)
        .flatMap(({ content }) => listOf(content))
        .map(({ text }) => wordsOf(text))
        .join(''),
    deltaOf: ({ type, delta }) =>
      wordsOf(type) === 'response.output_text.delta' ? wordsOf(delta) : '',
  },
  {
    id: 'chat',
    name: 'Chat Completions',
    last: /^\[DONE\]$/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/chat/completions',
      headers: bearer(key),
      body: {
        model,
        messages: [
          ...(system === '' ? [] : [{ role: 'system', content: system }]),
          { role: 'user', content: text },
        ],
        max_completion_tokens: maxTokens,
        stream: isStreamed,
        ...(isStreamed && { stream_options: { include_usage: true } }),
      },
    }),
    textOf: ({ choices }) => wordsOf(listOf(choices)[0]?.['message']?.['content']),
    deltaOf: ({ choices }) => wordsOf(listOf(choices)[0]?.['delta']?.['content']),
  },
  {
    id: 'messages',
    name: 'Messages',
    last: /"type":\s*"message_stop"/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/messages',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: {
        model,
        ...(system !== '' && { system }),
        messages: [{ role: 'user', content: text }],
        max_tokens: maxTokens,
        stream: isStreamed,
      },
    }),
    textOf: ({ content }) =>
      listOf(content)
        .map(({ text }) => wordsOf(text))
        .join(''),
    deltaOf: ({ delta }) => wordsOf(delta?.['text']),
  },
  {
    id: 'generate',
    name: 'generateContent',
    last: /"finishReason"/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: `/v1beta/models/${encodeURIComponent(model)}:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      headers: { 'x-goog-api-key': key },
      body: {
        contents: [{ role: 'user', parts: [{ text }] }],
        ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
        generationConfig: { maxOutputTokens: maxTokens },
      },
    }),
    textOf: partsText,
    deltaOf: partsText,
  },
]

function partsText({ candidates }: Json): string {
  return listOf(listOf(candidates)[0]?.['content']?.['parts'])
    .map(({ text }) => wordsOf(text))
    .join('')
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
