import { afterAll, expect, test } from 'vitest'

import type { LedgerRow } from '../../../src/contract/ledger-row.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { until } from '../../../src/testing/until.ts'
import { key, metricsStage } from './stage.ts'

const audio = () => new File([new Uint8Array(32_000)], 'talk.mp3', { type: 'audio/mpeg' })

function form(fields: Record<string, string | File>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}

const request = { model: 'MODEL', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 }
const line = { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body: request }
const lines = () => new File([JSON.stringify(line)], 'l.jsonl')
const contents = { parts: [{ text: 'a cat' }] }

interface Row {
  readonly operation: string
  readonly path: string
  readonly speaks: string
  readonly body: object | (() => FormData)
  readonly headers?: Record<string, string>
  readonly model?: string
}

const rows: Row[] = [
  { operation: 'embeddings.create', path: '/v1/embeddings', speaks: 'embeddings', body: { model: 'MODEL', input: 'a cat' } },
  { operation: 'embed-content.create', path: '/v1beta/models/MODEL:embedContent', speaks: 'embed-content', body: { content: contents } },
  { operation: 'embed-content.batch', path: '/v1beta/models/MODEL:batchEmbedContents', speaks: 'embed-content', body: { requests: [{ content: contents }] } },
  { operation: 'embed-content.create', path: '/v1beta/models/MODEL:embedContent', speaks: 'embeddings', body: { content: contents } },
  { operation: 'predict.create', path: '/v1beta1/publishers/google/models/MODEL:predict', speaks: 'predict', body: { instances: [{ content: 'a cat' }] } },
  { operation: 'rerank.create', path: '/v1/rerank', speaks: 'rerank', body: { model: 'MODEL', query: 'q', documents: ['a', 'b'] } },
  { operation: 'moderations.create', path: '/v1/moderations', speaks: 'moderations', body: { model: 'MODEL', input: 'a' } },
  { operation: 'completions.create', path: '/v1/completions', speaks: 'completions', body: { model: 'MODEL', prompt: 'a cat', max_tokens: 50 } },
  { operation: 'completions.create', path: '/v1/completions', speaks: 'completions', body: { model: 'MODEL', prompt: 'a cat', max_tokens: 50, stream: true } },
  { operation: 'completions.create', path: '/v1/completions', speaks: 'messages', body: { model: 'MODEL', prompt: 'a cat', max_tokens: 50, stream: true } },
  { operation: 'images.generate', path: '/v1/images/generations', speaks: 'images', body: { model: 'MODEL', prompt: 'a cat' } },
  { operation: 'images.generate', path: '/v1/images/generations', speaks: 'generate', body: { model: 'MODEL', prompt: 'a cat' } },
  { operation: 'audio.speech', path: '/v1/audio/speech', speaks: 'audio', body: { model: 'MODEL', input: 'Hello', voice: 'alloy' } },
  { operation: 'audio.speech', path: '/v1/audio/speech', speaks: 'audio', body: { model: 'MODEL', input: 'Hello', voice: 'alloy', stream_format: 'sse' } },
  { operation: 'audio.transcribe', path: '/v1/audio/transcriptions', speaks: 'audio', body: () => form({ model: 'MODEL', file: audio() }), model: 'whisper-1' },
  { operation: 'audio.transcribe', path: '/v1/audio/transcriptions', speaks: 'audio', body: () => form({ model: 'MODEL', file: audio() }), model: 'gpt-4o-transcribe' },
  { operation: 'audio.transcribe', path: '/v1/audio/transcriptions', speaks: 'audio', body: () => form({ model: 'MODEL', file: audio(), response_format: 'text' }), model: 'whisper-1' },
  { operation: 'audio.translate', path: '/v1/audio/translations', speaks: 'audio', body: () => form({ model: 'MODEL', file: audio() }), model: 'whisper-1' },
  { operation: 'files.create', path: '/v1/files', speaks: 'files', body: () => form({ purpose: 'user_data', file: lines() }) },
  { operation: 'uploads.create', path: '/v1/uploads', speaks: 'files', body: { purpose: 'user_data', filename: 'x', bytes: 4, mime_type: 'text/plain' } },
  { operation: 'message-batches.create', path: '/v1/messages/batches', speaks: 'message-batches', body: { requests: [{ custom_id: '1', params: request }] }, headers: { 'anthropic-version': '2023-06-01' } },
]

const out: string[] = []
afterAll(() => console.log(out.join('\n')))

const cases = rows.flatMap((row) => [{ ...row, quiet: false }, { ...row, quiet: true }])
test.each(cases)('$operation $speaks $quiet', async ({ operation, path, speaks, body, headers = {}, model = 'sandbox/echo', quiet }) => {
  await using sandbox = await startSandbox()
  const name = quiet ? 'sandbox/nousage' : model
  const ledger: LedgerRow[] = []
  await using stage = await metricsStage({
    plugins: [{ name: 'rows', onLedger: (input) => void ledger.push(...input.rows) }],
    accounts: [{ id: 'a', provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a', speaks: speaks === 'message-batches' ? ['messages', speaks] : speaks === 'files' ? ['chat', speaks] : [speaks], models: { m: name } }],
    prices: { m: { rates: { input: 1, output: 2, inputAudio: 3, outputAudio: 4, outputImage: 5, inputImage: 6 }, units: { search: 1, character: 1, audioSecond: 1, image: 1 } } },
  })
  const isForm = typeof body === 'function'
  const own = isForm ? body() : undefined
  if (own?.has('model')) own.set('model', 'm')
  const response = await fetch(stage.url + path.replace('MODEL', 'm'), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
    body: own ?? JSON.stringify(body).replaceAll('MODEL', 'm'),
  })
  const text = await response.text()
  await until(() => stage.accessLog.length > 0 && ledger.length > 0).catch(() => {})
  const { text: metrics } = await stage.scrape()
  const shown = metrics.split('\n').filter((one) => /^(gen_ai_client_token_usage.*_sum|dragoman_cost_usd_total|dragoman_cost_lookups_total|dragoman_units_total)/.test(one) && !/ 0$/.test(one))
  const [log = {}] = stage.accessLog as unknown as Record<string, unknown>[]
  const used = Object.fromEntries(Object.entries(log).filter(([n]) => /tokens|characters|seconds|images|search|cost|usage|route|model/.test(n)))
  out.push(`${operation} ${speaks} quiet=${quiet} ${response.status} ${response.status === 200 ? '' : text.slice(0, 300)}`, `  log ${JSON.stringify(used)}`, ...ledger.map((r) => `  ledger ${r.operation} ${r.usage} ${JSON.stringify(r.tokens)} cost=${r.costNano} ${r.uncosted} free=${r.isFree}`), ...shown.map((s) => `  ${s}`))
  expect(1).toBe(1)
})
