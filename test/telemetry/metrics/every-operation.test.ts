import { expect, test } from 'vitest'

import type { LedgerRow } from '../../../src/contract/ledger-row.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { key, metricsStage } from './stage.ts'

/** A request of an operation, and what its use is in the metrics, in the access log and in the ledger. */
interface Row {
  readonly operation: string
  readonly path: string
  readonly speaks: readonly string[]
  readonly body: object | (() => FormData)
  readonly headers?: Record<string, string>
  /** The account's name of the model. */
  readonly model?: string
  /** Samples as `embeddings input`, or a unit alone. */
  readonly metrics: Readonly<Record<string, number>>
  /** Fields of the access log. */
  readonly log: Readonly<Record<string, number>>
  readonly ledger: 'reported' | 'estimated' | 'unknown' | 'none'
  readonly tokens?: Usage
  /** In micro-dollars, by the prices below; null: unknown. */
  readonly cost: number | null
  /** The prices of the model. Default: those below. */
  readonly prices?: object
}

const prices = {
  rates: { input: 1, output: 2, outputAudio: 4, inputAudio: 3, outputImage: 5 },
  units: { search: '0.01', character: '0.001', audioSecond: '0.1' },
}
const ofUnits = { units: { search: '0.01', image: '0.5' } }
const ofImages = { rates: prices.rates, units: ofUnits.units }

/** A file of two seconds at the sandbox. */
const talk = new File([new Uint8Array(32_000)], 'talk.mp3', { type: 'audio/mpeg' })

function form(fields: Record<string, string | File>): () => FormData {
  return () => {
    const made = new FormData()
    for (const [name, value] of Object.entries(fields)) made.append(name, value)
    return made
  }
}

const hello = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 }
const content = { parts: [{ text: 'a cat' }] }
const quiet = 'sandbox/nousage'

const embedding = {
  operation: 'embeddings.create',
  path: '/v1/embeddings',
  speaks: ['embeddings'],
  body: { model: 'm', input: 'a cat' },
}
const embedContent = {
  operation: 'embed-content.create',
  path: '/v1beta/models/m:embedContent',
  body: { content },
}
const embedded = {
  metrics: { 'embeddings input': 2 },
  log: { input_tokens: 2, output_tokens: 0 },
  ledger: 'reported',
  tokens: { inputTokens: 2, outputTokens: 0 },
  cost: 2,
} as const
const estimated = (inputTokens: number, outputTokens = 0) => ({
  metrics: {},
  log: {},
  ledger: 'estimated' as const,
  tokens: { inputTokens, outputTokens },
  cost: inputTokens + 2 * outputTokens,
})
const unknown = { metrics: {}, log: {}, ledger: 'unknown', cost: null } as const
const ordered = { metrics: {}, log: {}, ledger: 'none', cost: 0 } as const

const completion = {
  operation: 'completions.create',
  path: '/v1/completions',
  speaks: ['completions'],
  body: { model: 'm', prompt: 'a cat', max_tokens: 50 },
}
const completed = {
  metrics: { 'text_completion input': 2, 'text_completion output': 4 },
  log: { input_tokens: 2, output_tokens: 4 },
  ledger: 'reported',
  tokens: { inputTokens: 2, outputTokens: 4 },
  cost: 10,
} as const
const streamed = { ...completion, body: { ...completion.body, stream: true } }

const speech = {
  operation: 'audio.speech',
  path: '/v1/audio/speech',
  speaks: ['audio'],
  body: { model: 'm', input: 'Hello', voice: 'alloy' },
}
const spoken = {
  metrics: { character: 5 },
  log: { characters: 5 },
  ledger: 'reported',
  tokens: { characters: 5 },
  cost: 5_000,
} as const
const ofTalk = (fields: Record<string, string> = {}) => ({
  operation: 'audio.transcribe',
  path: '/v1/audio/transcriptions',
  speaks: ['audio'],
  body: form({ model: 'm', ...fields, file: talk }),
  model: 'whisper-1',
})
const heard = {
  metrics: { audio_second: 2 },
  log: { audio_seconds: 2 },
  ledger: 'reported',
  tokens: { audioSeconds: 2 },
  cost: 200_000,
} as const
const picture = {
  operation: 'images.generate',
  path: '/v1/images/generations',
  speaks: ['images'],
  body: { model: 'm', prompt: 'a cat' },
}
const rank = {
  operation: 'rerank.create',
  path: '/v1/rerank',
  speaks: ['rerank'],
  body: { model: 'm', query: 'q', documents: ['a', 'b'] },
}

const rows: Readonly<Record<string, Row>> = {
  embeddings: { ...embedding, ...embedded },
  'embeddings without a usage': { ...embedding, model: quiet, ...estimated(8) },
  embedContent: { ...embedContent, speaks: ['embed-content'], ...estimated(10) },
  'embedContent at OpenAI': { ...embedContent, speaks: ['embeddings'], ...embedded },
  batchEmbedContents: {
    operation: 'embed-content.batch',
    path: '/v1beta/models/m:batchEmbedContents',
    speaks: ['embed-content'],
    body: { requests: [{ model: 'models/m', content }] },
    ...estimated(19),
  },
  predict: {
    operation: 'predict.create',
    path: '/v1beta1/publishers/google/models/m:predict',
    speaks: ['predict'],
    body: { instances: [{ content: 'a cat' }] },
    ...embedded,
  },
  'cached contents': {
    operation: 'cached-contents.create',
    path: '/v1beta/cachedContents',
    speaks: ['cached-contents'],
    body: { model: 'models/m', contents: [{ role: 'user', ...content }] },
    metrics: { 'cache_content input': 2 },
    log: { input_tokens: 2, output_tokens: 0 },
    ledger: 'reported',
    tokens: { inputTokens: 2, outputTokens: 0 },
    cost: 2,
  },
  rerank: {
    ...rank,
    metrics: { search: 1 },
    log: { searches: 1 },
    ledger: 'reported',
    tokens: { searches: 1 },
    cost: 10_000,
    prices: ofUnits,
  },
  'rerank without a usage': { ...rank, model: quiet, ...estimated(12) },
  moderations: {
    operation: 'moderations.create',
    path: '/v1/moderations',
    speaks: ['moderations'],
    body: { model: 'm', input: 'a' },
    ...estimated(7),
  },
  completions: { ...completion, ...completed },
  'a stream of completions': { ...streamed, ...completed },
  'a stream of completions without a usage': { ...streamed, model: quiet, ...estimated(15, 5) },
  'a stream of completions at Anthropic': { ...streamed, speaks: ['messages'], ...completed },
  images: {
    ...picture,
    metrics: { 'image_generation input': 2, 'image_generation output': 1_056, image: 1 },
    log: { input_tokens: 2, output_tokens: 1_056, images: 1 },
    ledger: 'reported',
    tokens: { inputTokens: 2, outputTokens: 1_056, imageOutputTokens: 1_056, images: 1 },
    cost: 505_282,
    prices: ofImages,
  },
  'images without a usage': {
    ...picture,
    model: quiet,
    metrics: { image: 1 },
    log: { images: 1 },
    ledger: 'reported',
    tokens: { images: 1 },
    cost: 500_000,
    prices: ofUnits,
  },
  speech: { ...speech, ...spoken },
  'a stream of speech': {
    ...speech,
    body: { ...speech.body, stream_format: 'sse' },
    model: 'sandbox/echo',
    metrics: { 'speech input': 1, 'speech output': 4 },
    log: { input_tokens: 1, output_tokens: 4 },
    ledger: 'reported',
    tokens: { inputTokens: 1, outputTokens: 4, audioOutputTokens: 4 },
    cost: 17,
  },
  'a stream of speech without a usage': {
    ...speech,
    body: { ...speech.body, stream_format: 'sse' },
    model: quiet,
    ...spoken,
  },
  'transcriptions by seconds': { ...ofTalk(), ...heard },
  'transcriptions by tokens': {
    ...ofTalk(),
    model: 'gpt-4o-transcribe',
    metrics: { 'transcription input': 20, 'transcription output': 4 },
    log: { input_tokens: 20, output_tokens: 4 },
    ledger: 'reported',
    tokens: { inputTokens: 20, outputTokens: 4, audioInputTokens: 20 },
    cost: 68,
  },
  'transcriptions as srt': { ...ofTalk({ response_format: 'srt' }), ...heard },
  'transcriptions as vtt': { ...ofTalk({ response_format: 'vtt' }), ...heard },
  'transcriptions as a text': { ...ofTalk({ response_format: 'text' }), ...unknown },
  'transcriptions without a usage': { ...ofTalk(), model: quiet, ...unknown },
  translations: {
    ...ofTalk(),
    operation: 'audio.translate',
    path: '/v1/audio/translations',
    ...heard,
  },
  files: {
    operation: 'files.create',
    path: '/v1/files',
    speaks: ['chat', 'files'],
    body: form({ purpose: 'user_data', file: talk }),
    ...ordered,
  },
  uploads: {
    operation: 'uploads.begin',
    path: '/v1/uploads',
    speaks: ['chat', 'files'],
    body: { purpose: 'user_data', filename: 'x', bytes: 4, mime_type: 'text/plain' },
    ...ordered,
  },
  'message batches': {
    operation: 'message-batches.create',
    path: '/v1/messages/batches',
    speaks: ['messages', 'message-batches'],
    body: { requests: [{ custom_id: '1', params: hello }] },
    headers: { 'anthropic-version': '2023-06-01' },
    ...ordered,
  },
}

async function stageOf(accounts: Parameters<typeof metricsStage>[0]['accounts'], more = {}) {
  const ledger: LedgerRow[] = []
  const stage = await metricsStage({
    plugins: [{ name: 'rows', onLedger: (input) => void ledger.push(...input.rows) }],
    accounts: accounts!,
    ...more,
  })
  return {
    stage,
    ledger,
    async settled() {
      await until(() => stage.accessLog.length > 0 && ledger.length > 0)
      const { text } = await stage.scrape()
      const tokens =
        /^gen_ai_client_token_usage_sum\{.*operation_name="(\w+)".*token_type="(\w+)"\} (\d+)/
      const units = /^dragoman_units_total\{.*unit="(\w+)"\} (\d+)/
      const samples = text.split('\n').flatMap((one) => {
        const [, operation, type, sum] = tokens.exec(one) ?? []
        if (operation) return [[`${operation} ${type}`, Number(sum)] as const]
        const [, unit = '', count] = units.exec(one) ?? []
        return unit ? [[unit, Number(count)] as const] : []
      })
      return Object.fromEntries(samples.filter(([, value]) => value > 0))
    },
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  }
}

const fields = /_tokens$|^(?:searches|images|audio_seconds|characters)$/

function usedOf(line: Readonly<Record<string, unknown>> | undefined) {
  const used = Object.entries(line ?? {}).filter(
    ([name, value]) => fields.test(name) && value !== 0,
  )
  return Object.fromEntries(used)
}

test.each(Object.entries(rows))('the use of %s is known everywhere', async (_, row) => {
  const { operation, path, speaks, body, headers, model = 'sandbox/echo' } = row
  await using sandbox = await startSandbox()
  const at = { provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
  await using one = await stageOf([{ id: 'a', ...at, speaks: [...speaks], models: { m: model } }], {
    prices: { [model]: row.prices ?? prices },
  })
  const response = await fetch(one.stage.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...headers,
      ...(typeof body !== 'function' && { 'content-type': 'application/json' }),
    },
    body: typeof body === 'function' ? body() : JSON.stringify(body),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  expect(await one.settled()).toEqual(row.metrics)
  const [line] = one.stage.accessLog
  expect(line).toMatchObject({ route: operation, account: 'a' })
  const { output_tokens: output, ...log } = row.log
  expect(usedOf(line)).toEqual({ ...log, ...(output && { output_tokens: output }) })
  const [entry] = one.ledger
  expect(entry).toMatchObject({
    operation,
    usage: row.ledger,
    costNano: row.cost === null ? null : row.cost * 1_000,
    ...(row.tokens && { tokens: row.tokens }),
  })
  if (!row.tokens) expect(entry?.tokens).toBeUndefined()
})

test('the tokens of a batch count at its end, as those of its model', async () => {
  await using sandbox = await startSandbox()
  await using one = await stageOf([
    {
      id: 'a',
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: 'sandbox-key-a',
      speaks: ['messages', 'message-batches'],
      models: ['m'],
    },
  ])
  const headers = { 'anthropic-version': '2023-06-01' }
  const batches = '/v1/messages/batches'
  const requests = ['1', '2'].map((id) => ({ custom_id: id, params: hello }))
  const order = await one.stage.ask(batches, { requests }, headers)
  const { id } = (await order.json()) as { id: string }
  const hasEnded = async () => {
    const response = await one.stage.ask(`${batches}/${id}`, undefined, headers)
    return ((await response.json()) as Record<string, unknown>)['processing_status'] === 'ended'
  }
  await until(hasEnded)
  await hasEnded()
  await until(() => one.ledger.some(({ operation }) => operation === 'batch.ended'))
  expect(await one.settled()).toEqual({ 'batch input': 2, 'batch output': 6 })
})

test('the use of a passed path is known as far as its reply says it', async () => {
  await using account = await startFakeAccount(
    answerJson({ usage: { total_tokens: 9, prompt_tokens: 7 } }),
  )
  await using one = await stageOf(
    [{ id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, models: ['m'] }],
    {
      passthrough: [{ path: '/v1/vector_stores', account: 'a' }],
      telemetry: { metrics: { by: ['key'] } },
    },
  )
  await one.stage.call('/v1/vector_stores')
  await one.settled()
  // Its operation is none of a model, so that the tokens are those of the key alone.
  expect((await one.stage.scrape()).text).toMatch(
    /^dragoman_usage_tokens_total\{.*="key".*="input"\} 7$/m,
  )
  expect(usedOf(one.stage.accessLog[0])).toEqual({ input_tokens: 7 })
  expect(one.ledger[0]).toMatchObject({ tokens: { inputTokens: 7 }, costNano: null })
})
