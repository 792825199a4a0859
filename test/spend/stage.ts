import type { Config } from '../../src/configuration/config.generated.ts'
import type { Spend } from '../../src/contract/spend.ts'
import { definePlugin } from '../../src/index.ts'
import { type Answer, type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'

/** The dialects of text. */
export const dialects = ['chat', 'responses', 'messages', 'generate'] as const

export type Dialect = (typeof dialects)[number]

/** Providers whose accounts speak one dialect. */
const providers = {
  chat: { provider: 'openai', speaks: ['chat'], hasVersion: true },
  responses: { provider: 'openai', speaks: ['responses'], hasVersion: true },
  messages: { provider: 'anthropic', speaks: ['messages'], hasVersion: false },
  generate: { provider: 'gemini', speaks: ['generate'], hasVersion: false },
} as const

/** An account of a dialect at a fake server. */
export function accountOf(dialect: Dialect, url: string, more: object = {}) {
  const { provider, speaks, hasVersion } = providers[dialect]
  const baseUrl = hasVersion ? `${url}/v1` : url
  return { id: dialect, provider, speaks, baseUrl, apiKey: 'k', models: ['m'], ...more }
}

/** A gateway and the spends of its attempts, as plugins see them with the outcomes. */
export interface SpendStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly upstream: FakeAccount
  readonly spends: readonly Spend[]
  /** Resolves once so many attempts have been settled. */
  settled(count: number): Promise<readonly Spend[]>
  ask(call: Call, signal?: AbortSignal): Promise<Response>
}

/** A request in a dialect. */
export interface Call {
  readonly path: string
  readonly body: object
  readonly headers?: Record<string, string>
}

/** Starts it, with one account. */
export async function spendStage(
  dialect: Dialect,
  answer: Answer,
  {
    account = {},
    ...config
  }: Pick<Config, 'keys' | 'prices' | 'plugins' | 'timeouts'> & {
    readonly account?: object
  } = {},
): Promise<SpendStage> {
  await using opening = new AsyncDisposableStack()
  const upstream = opening.use(await startFakeAccount(answer))
  const spends: Spend[] = []
  const watcher = definePlugin({
    name: 'watcher',
    onOutcome: ({ attempt }) => void (attempt.spend && spends.push(attempt.spend)),
  })
  const gateway = opening.use(
    await createTestGateway({
      prices: { m: { rates: { input: '2', output: '8' } } },
      ...config,
      accounts: [accountOf(dialect, upstream.url, account)] as Config['accounts'],
      plugins: [watcher, ...(config.plugins ?? [])],
    }),
  )
  const opened = opening.move()
  return {
    gateway,
    upstream,
    spends,
    async settled(count) {
      await until(() => spends.length >= count)
      return spends
    },
    ask: ({ path, body, headers = {} }, signal) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A call of a dialect with a text. */
export function callOf(dialect: Dialect, text: string, stream: boolean, more: object = {}): Call {
  const messages = [{ role: 'user', content: text }]
  switch (dialect) {
    case 'chat':
      return { path: '/v1/chat/completions', body: { model: 'm', messages, stream, ...more } }
    case 'responses':
      return { path: '/v1/responses', body: { model: 'm', input: text, stream, ...more } }
    case 'messages':
      return {
        path: '/v1/messages',
        body: { model: 'm', max_tokens: 99, messages, stream, ...more },
        headers: { 'anthropic-version': '2023-06-01' },
      }
    case 'generate': {
      const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      const contents = [{ role: 'user', parts: [{ text }] }]
      return { path: `/v1beta/models/m:${method}`, body: { contents, ...more } }
    }
  }
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const named = (data: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${data.type}\n${event(data)}`

/** The reply of an account in its dialect: a document, or the frames of a stream. */
export interface ReplyParts {
  readonly document: object
  readonly frames: readonly string[]
}

/** A reply with texts, one a frame. `usage`: in the words of the dialect; absent: none is reported. */
export function replyOf(dialect: Dialect, texts: readonly string[], usage?: object): ReplyParts {
  const text = texts.join('')
  switch (dialect) {
    case 'chat': {
      const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
      const chunk = (delta: object, finish_reason: string | null) =>
        event({ ...head, choices: [{ index: 0, delta, finish_reason }] })
      const message = { role: 'assistant', content: text }
      return {
        document: {
          ...head,
          object: 'chat.completion',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          ...(usage && { usage }),
        },
        frames: [
          chunk({ role: 'assistant', content: '' }, null),
          ...texts.map((content) => chunk({ content }, null)),
          chunk({}, 'stop'),
          ...(usage ? [event({ ...head, choices: [], usage })] : []),
          'data: [DONE]\n\n',
        ],
      }
    }
    case 'responses': {
      const part = { type: 'output_text', text, annotations: [] }
      const item = {
        id: 'i',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [part],
      }
      const begun = { id: 'r', object: 'response', created_at: 1, model: 'm', output: [] }
      const whole = { ...begun, status: 'completed', output: [item], ...(usage && { usage }) }
      const at = { item_id: 'i', output_index: 0, content_index: 0 }
      const events = [
        { type: 'response.created', response: { ...begun, status: 'in_progress' } },
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { ...item, status: 'in_progress', content: [] },
        },
        { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
        ...texts.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
        { type: 'response.output_text.done', ...at, text },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: whole },
      ]
      const frames = events.map((one, sequence_number) => named({ ...one, sequence_number }))
      return { document: whole, frames }
    }
    case 'messages': {
      const message = { id: 'm', type: 'message', role: 'assistant', model: 'm' }
      const end = { stop_reason: 'end_turn', stop_sequence: null }
      const none = { input_tokens: undefined, output_tokens: undefined }
      return {
        document: { ...message, ...end, content: [{ type: 'text', text }], usage: usage ?? none },
        frames: [
          named({
            type: 'message_start',
            message: { ...message, content: [], usage: usage ?? none },
          }),
          named({
            type: 'content_block_start',
            index: 0,
            content_block: { type: 'text', text: '' },
          }),
          ...texts.map((one) =>
            named({
              type: 'content_block_delta',
              index: 0,
              delta: { type: 'text_delta', text: one },
            }),
          ),
          named({ type: 'content_block_stop', index: 0 }),
          named({ type: 'message_delta', delta: end, usage: usage ?? none }),
          named({ type: 'message_stop' }),
        ],
      }
    }
    case 'generate': {
      const chunk = (one: string, more: object = {}) => ({
        candidates: [{ content: { role: 'model', parts: [{ text: one }] }, index: 0, ...more }],
        modelVersion: 'm',
        responseId: 'r',
      })
      const reported = usage && { usageMetadata: usage }
      const last = { finishReason: 'STOP' }
      return {
        document: { ...chunk(text, last), ...reported },
        frames: [
          ...texts.map((one) => event(chunk(one))),
          event({ ...chunk('', last), ...reported }),
        ],
      }
    }
  }
}

/** A usage of 100 tokens of the prompt and 10 of the reply, in the words of each dialect. */
export const usageOf: Readonly<Record<Dialect, object>> = {
  chat: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  responses: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
  messages: { input_tokens: 100, output_tokens: 10 },
  generate: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
}

/** Answers with a reply in the form that is asked for. `keep`: only so many frames, before `end`. */
export function answerWith(
  { document, frames }: ReplyParts,
  { keep = frames.length, end = 'end' }: { keep?: number; end?: 'end' | 'cut' | 'wait' } = {},
): Answer {
  return (response, { body, url }) => {
    const isStream = url.includes('stream') || body.includes('"stream":true')
    if (!isStream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(document))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of frames.slice(0, keep)) response.write(frame)
    if (end === 'end') response.end()
    // After the frames have left.
    if (end === 'cut') setTimeout(() => response.destroy(), 50)
  }
}
