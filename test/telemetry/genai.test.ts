import { describe, expect, test } from 'vitest'

import pipeline from '../../config/gateway.config.ts'
import type { Account } from '../../src/contract/account.ts'
import { hasClients } from '../../src/contract/dialect.ts'
import { createLineWriter, createLog } from '../../src/lib/log.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { openStore } from '../../src/stores/open.ts'
import { operationNameOf } from '../../src/telemetry/genai.ts'
import { providerNameOf } from '../../src/telemetry/provider.ts'

const quiet = { writableLength: 0, write: () => true }

test('every operation that asks a model has a name, and no other has', async () => {
  await using store = Object.assign(await openStore('memory:', { cwd: '.' }), {
    [Symbol.asyncDispose]: () => store.close(),
  })
  const plugins = pipeline({
    keys: { find: () => undefined },
    log: createLog(quiet),
    lines: createLineWriter(quiet),
    health: { draining: false, inflight: () => 0, accounts: () => 0 },
    store,
  })
  const names = plugins
    .flatMap(({ dialects = [] }) => dialects.filter(hasClients))
    .flatMap((dialect) =>
      dialect.operations.map((one) => [one.id, operationNameOf(one, dialect)] as const),
    )
    .filter(([, name]) => name !== undefined)
  expect(Object.fromEntries(names)).toEqual({
    'responses.create': 'chat',
    'responses.input_tokens': 'count_tokens',
    'responses.compact': 'compact',
    'responses.retrieve': 'fetch_response',
    'responses.input_items': 'fetch_response',
    'chat.create': 'chat',
    'messages.create': 'chat',
    'messages.count_tokens': 'count_tokens',
    'generate.create': 'generate_content',
    'generate.stream': 'generate_content',
    'generate.count_tokens': 'count_tokens',
    'completions.create': 'text_completion',
    'moderations.create': 'moderation',
    'rerank.create': 'rerank',
    'embeddings.create': 'embeddings',
    'embed-content.create': 'embeddings',
    'embed-content.batch': 'embeddings',
    'predict.create': 'embeddings',
    'images.edit': 'image_edit',
    'images.generate': 'image_generation',
    'videos.create': 'video_generation',
    'videos.remix': 'video_generation',
    'videos.retrieve': 'fetch_response',
    'videos.content': 'fetch_response',
    'operations.create': 'video_generation',
    'operations.get': 'fetch_response',
    'operations.fetch': 'fetch_response',
    'operations.download': 'fetch_response',
    'operations.file': 'fetch_response',
    'audio.speech': 'speech',
    'audio.transcribe': 'transcription',
    'audio.translate': 'audio_translation',
    'cached-contents.create': 'cache_content',
    'realtime.response': 'realtime',
  })
})

describe('the provider of an account', () => {
  const nameOf = (provider: string, origin: string) =>
    providerNameOf({ provider, origin } as Account)

  test.each([
    ['openai', 'https://api.openai.com', 'openai'],
    ['openai', 'https://eu.api.openai.com', 'openai'],
    ['openai', 'https://acme.openai.azure.com', 'azure.ai.openai'],
    ['openai-compatible', 'https://acme.services.ai.azure.com', 'azure.ai.inference'],
    ['anthropic', 'https://api.anthropic.com', 'anthropic'],
    ['gemini', 'https://generativelanguage.googleapis.com', 'gcp.gemini'],
    ['gemini', 'https://us-central1-aiplatform.googleapis.com', 'gcp.vertex_ai'],
    ['gemini', 'https://other.googleapis.com', 'gcp.gen_ai'],
    ['anthropic', 'https://bedrock-runtime.eu-west-1.amazonaws.com', 'aws.bedrock'],
    ['openai-compatible', 'https://api.mistral.ai', 'mistral_ai'],
    ['openai-compatible', 'https://api.x.ai', 'x_ai'],
    ['openai-compatible', 'https://api.groq.com', 'groq'],
    ['openai-compatible', 'https://api.deepseek.com', 'deepseek'],
  ])('%s at %s is %s, by its host', (provider, origin, name) => {
    expect(nameOf(provider, origin)).toBe(name)
  })

  test.each([
    ['openai', 'http://127.0.0.1:4000', 'openai'],
    ['gemini', 'http://proxy.internal', 'gcp.gemini'],
    ['openai-compatible', 'http://vllm.internal:8000', 'openai-compatible'],
    ['openai', 'https://api.openai.com.example.org', 'openai'],
    ['openai-compatible', 'https://notapi.groq.com', 'openai-compatible'],
  ])('%s at %s is %s, by its configuration', (provider, origin, name) => {
    expect(nameOf(provider, origin)).toBe(name)
  })
})

describe('the settings of metrics', () => {
  const metricsOf = (metrics: unknown, env: Record<string, string> = {}) =>
    resolveSettings({ telemetry: { metrics } }, { env }).telemetry.metrics

  test.each([
    [{}, {}, false],
    [{}, { OTEL_METRICS_EXPORTER: 'otlp' }, true],
    [{}, { OTEL_METRICS_EXPORTER: 'prometheus' }, false],
    [{ otlp: true }, {}, true],
    [{ otlp: false }, { OTEL_METRICS_EXPORTER: 'otlp' }, false],
    [{ otlp: true }, { OTEL_METRICS_EXPORTER: 'none' }, false],
    [{ otlp: true }, { OTEL_SDK_DISABLED: 'true' }, false],
  ])('%o with %o pushes: %s', (setting, env, otlp) => {
    expect(metricsOf(setting, env)).toMatchObject({ otlp })
  })

  test('switch metrics off', () => expect(metricsOf(false)).toBe(false))

  test.each([[true], [{ requireToken: 'no' }], [{ models: ['a', ''] }], [{ otpl: true }]])(
    '%o does not start',
    (setting) => {
      expect(() => metricsOf(setting)).toThrow(/telemetry\.metrics/)
    },
  )
})
