import { expect, test } from 'vitest'

import { audio } from '../../../plugins/dialects/audio/index.ts'
import { chat } from '../../../plugins/dialects/chat/index.ts'
import { completions } from '../../../plugins/dialects/completions/index.ts'
import { embeddings } from '../../../plugins/dialects/embeddings/index.ts'
import { moderations } from '../../../plugins/dialects/moderations/index.ts'
import { rerank } from '../../../plugins/dialects/rerank/index.ts'
import { providers } from '../../../plugins/providers/index.ts'
import { compileSnapshot } from '../../../src/accounts/compile.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { dialectsOf } from '../../../src/contract/plugin.ts'
import { pathAt, rootOf } from '../../../src/kit/account-path.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'

const dialects = dialectsOf([
  audio(),
  chat(),
  completions(),
  embeddings(),
  moderations(),
  rerank(),
  providers(),
])

const paths: Record<string, string> = {
  audio: '/v1/audio/speech',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  moderations: '/v1/moderations',
  rerank: '/v1/rerank',
}

test.each([
  ['openrouter', 'https://openrouter.ai/api/v1', ['embeddings', 'rerank']],
  ['groq', 'https://api.groq.com/openai/v1', ['audio', 'embeddings']],
  ['mistral', 'https://api.mistral.ai/v1', ['embeddings', 'moderations']],
  ['together', 'https://api.together.ai/v1', ['audio', 'completions', 'embeddings', 'rerank']],
  ['fireworks', 'https://api.fireworks.ai/inference/v1', ['completions', 'embeddings']],
  ['cerebras', 'https://api.cerebras.ai/v1', ['completions']],
  ['perplexity', 'https://api.perplexity.ai/v1', ['embeddings']],
  ['cohere', 'https://api.cohere.com/v2', ['rerank']],
  ['qwen', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', ['embeddings']],
  ['ollama', 'http://localhost:11434/v1', ['completions', 'embeddings']],
  ['vllm', 'http://localhost:8000/v1', ['completions', 'embeddings', 'rerank']],
  ['llamacpp', 'http://localhost:8080/v1', ['embeddings', 'rerank']],
  ['lmstudio', 'http://localhost:1234/v1', ['completions', 'embeddings']],
  ['github', 'https://models.github.ai/inference', ['embeddings']],
  ['deepseek', '', []],
])('accounts of %s are asked at %s for %j', (provider, base, expected) => {
  const account = { id: 'a', provider, apiKey: 'k', models: ['m'] }
  const settings = resolveSettings({ accounts: [account] }, { env: {} })
  const { snapshot } = compileSnapshot(settings.accounts, {}, dialects)
  const [compiled] = snapshot.accounts
  const found = compiled!.speaks.filter((id) => paths[id] !== undefined)
  expect(found.toSorted()).toEqual(expected)
  for (const id of found) {
    const dialect = dialects.find((one) => one.id === id)!
    const root = rootOf(compiled!, dialect)
    const url = root.origin + pathAt(root, dialect.upstream!, paths[id]!)
    expect(url).toBe(base + paths[id]!.replace('/v1', ''))
  }
})

test('Mistral gets the length of vectors by its own name', async () => {
  const vector = { object: 'embedding', index: 0, embedding: [1] }
  await using account = await startFakeAccount(
    answerJson({ object: 'list', data: [vector], model: 'm', usage: { prompt_tokens: 1 } }),
  )
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'mistral', baseUrl: `${account.url}/v1`, models: ['m'] }],
  })
  const response = await fetch(`${gateway.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input: 'a', dimensions: 1 }),
  })
  expect([response.status, response.headers.get('x-dragoman-losses')]).toEqual([200, null])
  expect(JSON.parse(String(account.requests[0]?.body))).toEqual({
    model: 'm',
    input: 'a',
    output_dimension: 1,
  })
})
