/** What the form of the Playground says. A dialect reads what its form has. */
export interface Prompt {
  readonly model: string
  readonly text: string
  readonly system: string
  readonly maxTokens: number
  readonly isStreamed: boolean
  /** Of an image or a video, such as `1024x1024`; empty: the usual one of the model. */
  readonly size: string
  /** Of a video; empty: the usual length of the model. */
  readonly seconds: string
}

/** A call of the inference API, as `POST /console/call` takes it. */
export interface PlaygroundCall {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

/** A dialect of the Playground: how it asks, and where its replies have their text. */
export interface PlaygroundDialect {
  readonly id: string
  readonly name: string
  /** What it makes: it decides which fields the form has. */
  readonly makes: 'text' | 'images' | 'video'
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
    makes: 'text',
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
    makes: 'text',
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
    makes: 'text',
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
    makes: 'text',
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
  {
    id: 'images',
    name: 'Images',
    makes: 'images',
    last: /^$/,
    call: ({ model, text, size }, key) => ({
      path: '/v1/images/generations',
      headers: bearer(key),
      body: { model, prompt: text, ...(size !== '' && { size }) },
    }),
    textOf: ({ data }) =>
      listOf(data)
        .map(({ revised_prompt, url }) =>
          [revised_prompt, url].map(wordsOf).filter(Boolean).join('\n'),
        )
        .join('\n\n'),
    deltaOf: () => '',
  },
  {
    id: 'videos',
    name: 'Videos',
    makes: 'video',
    last: /^$/,
    call: ({ model, text, size, seconds }, key) => ({
      path: '/v1/videos',
      headers: bearer(key),
      body: {
        model,
        prompt: text,
        ...(size !== '' && { size }),
        ...(seconds !== '' && { seconds }),
      },
    }),
    textOf: () => '',
    deltaOf: () => '',
  },
]

/** The images of a reply, in base64. */
export function imagesOf({ data }: Json): readonly string[] {
  return listOf(data)
    .map(({ b64_json }) => wordsOf(b64_json))
    .filter((text) => text !== '')
}

/** A video that is being made, as its dialect says it. */
export interface VideoJob {
  readonly id: string
  readonly status: string
  /** In percent; undefined: not known. */
  readonly progress: number | undefined
}

/** The job that a reply is about; undefined: it is about none. */
export function jobOf({ id, status, progress }: Json): VideoJob | undefined {
  const name = wordsOf(id)
  if (name === '') return undefined
  return {
    id: name,
    status: wordsOf(status),
    progress: Number.isFinite(Number(progress)) ? Number(progress) : undefined,
  }
}

/** Asks how far a video is, or for its content. */
export function videoCall(id: string, key: string, part: '' | '/content' = ''): PlaygroundCall {
  return {
    method: 'GET',
    path: `/v1/videos/${encodeURIComponent(id)}${part}`,
    headers: bearer(key),
  }
}

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
