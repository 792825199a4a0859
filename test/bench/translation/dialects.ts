/** The four dialects as the bench speaks them: what a client asks, and the frames of an account. */

export const dialectNames = ['responses', 'chat', 'messages', 'generate'] as const
export type DialectName = (typeof dialectNames)[number]

/** One frame per write, or all frames in one. */
export type Manner = 'per-write' | 'coalesced'

/** Streams of one frame per write are of two kinds, which send their frames in turns. */
export const sides = ['native', 'translated'] as const
export type Side = (typeof sides)[number]

/** Of a stream. The slow ones are so long that no stream begins or ends while frames are counted. */
export const frameCounts: Record<Manner, number> = { 'per-write': 4_000, coalesced: 200 }

interface BenchedDialect {
  path(model: string): string
  readonly headers?: Record<string, string>
  request(model: string): object
  /** The events of a stream, so many of them, as `[name, data]`. */
  events(frameCount: number): [name: string, data: object | string][]
}

const question = 'What does the harbour pilot do at high water? '.repeat(20).trim()
/** Pieces of prose and of code, of which some have letters beyond ASCII or need escapes. */
const pieces = [' word', ' wört', '\n- item ', ' "quoted" ']
/** Against those who guess words by the length of their frames. */
const obfuscation = (index: number) => 'aB3xY9qLm2'.slice(index % 10)
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => `${pieces[index % pieces.length]}${index}`)

export const dialects: Record<DialectName, BenchedDialect> = {
  chat: {
    path: () => '/v1/chat/completions',
    request: (model) => ({ model, stream: true, messages: [{ role: 'user', content: question }] }),
    events(frameCount) {
      const identity = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'bench' }
      const chunk = (delta: object, finish_reason: string | null = null) => ({
        ...identity,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason }],
      })
      return [
        chunk({ role: 'assistant', content: '' }),
        ...words(frameCount - 3).map((content, index) => ({
          ...chunk({ content }),
          obfuscation: obfuscation(index),
        })),
        chunk({}, 'stop'),
        '[DONE]',
      ].map((data) => ['', data])
    },
  },
  responses: {
    path: () => '/v1/responses',
    request: (model) => ({ model, stream: true, input: question }),
    events(frameCount) {
      const response = { id: 'resp_bench', object: 'response', model: 'bench', output: [] }
      const place = { item_id: 'msg_bench', output_index: 0, content_index: 0 }
      const item = { id: 'msg_bench', type: 'message', role: 'assistant', content: [] }
      const part = { type: 'output_text', text: '', annotations: [] }
      const text = words(frameCount - 7).join('')
      const told: [string, object][] = [
        ['response.created', { response: { ...response, status: 'in_progress' } }],
        ['response.output_item.added', { output_index: 0, item }],
        ['response.content_part.added', { ...place, part }],
        ...words(frameCount - 7).map((delta, index): [string, object] => [
          'response.output_text.delta',
          { ...place, delta, logprobs: [], obfuscation: obfuscation(index) },
        ]),
        ['response.output_text.done', { ...place, text, logprobs: [] }],
        ['response.content_part.done', { ...place, part: { ...part, text } }],
        [
          'response.output_item.done',
          { output_index: 0, item: { ...item, content: [{ ...part, text }] } },
        ],
        [
          'response.completed',
          {
            response: {
              ...response,
              status: 'completed',
              output: [{ ...item, content: [{ ...part, text }] }],
              usage: { input_tokens: 9, output_tokens: 190, total_tokens: 199 },
            },
          },
        ],
      ]
      return told.map(([type, data], sequence_number) => [type, { type, sequence_number, ...data }])
    },
  },
  messages: {
    path: () => '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    request: (model) => ({
      model,
      stream: true,
      max_tokens: 512,
      messages: [{ role: 'user', content: question }],
    }),
    events(frameCount) {
      const usage = { input_tokens: 9, output_tokens: 1 }
      const identity = { id: 'msg_bench', type: 'message', role: 'assistant', model: 'bench' }
      const told: [string, object][] = [
        ['message_start', { message: { ...identity, content: [], stop_reason: null, usage } }],
        ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
        ...words(frameCount - 5).map((text): [string, object] => [
          'content_block_delta',
          { index: 0, delta: { type: 'text_delta', text } },
        ]),
        ['content_block_stop', { index: 0 }],
        ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 190 } }],
        ['message_stop', {}],
      ]
      return told.map(([type, data]) => [type, { type, ...data }])
    },
  },
  generate: {
    path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    request: () => ({ contents: [{ role: 'user', parts: [{ text: question }] }] }),
    events(frameCount) {
      const usage = (count: number) => ({
        promptTokenCount: 9,
        candidatesTokenCount: count,
        totalTokenCount: 9 + count,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
      })
      const chunk = (text: string, index: number, rest: object = {}) => ({
        candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...rest }],
        usageMetadata: usage(index + 1),
        modelVersion: 'bench',
        responseId: 'bench',
      })
      return [
        ...words(frameCount - 1).map((text, index) => chunk(text, index)),
        chunk('.', frameCount - 1, { finishReason: 'STOP' }),
      ].map((data) => ['', data])
    },
  },
}

/** The frames of an account's stream. Google's have a blank behind each colon. */
export function framesOf(dialect: DialectName, manner: Manner): Buffer[] {
  return dialects[dialect].events(frameCounts[manner]).map(([name, data]) => {
    const json = typeof data === 'string' ? data : JSON.stringify(data)
    const text = dialect === 'generate' ? json.replaceAll('":', '": ') : json
    return Buffer.from(`${name && `event: ${name}\n`}data: ${text}\n\n`)
  })
}
