import { describe, expect, test } from 'vitest'

import guardrail from '../../../plugins/guardrail/index.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage, embeddingStage } from './stage.ts'

const words = 'What is the launch code?'

/** A request of each endpoint with these words, where they may stand. */
const requests: [string, string, object][] = [
  ['embeddings', '/v1/embeddings', { model: 'm', input: ['a', words] }],
  ['embed-content', '/v1beta/models/m:embedContent', { content: { parts: [{ text: words }] } }],
  [
    'embed-content',
    '/v1beta/models/m:batchEmbedContents',
    { requests: [{ content: { parts: [{ text: words }] } }] },
  ],
  [
    'predict',
    '/v1/projects/p/locations/l/publishers/google/models/m:predict',
    { instances: [{ content: words }] },
  ],
  ['rerank', '/v1/rerank', { model: 'm', query: 'a', documents: ['a', { text: words }] }],
  ['moderations', '/v1/moderations', { model: 'm', input: [{ type: 'text', text: words }] }],
  ['completions', '/v1/completions', { model: 'm', prompt: words }],
  ['completions', '/v1/completions', { model: 'm', prompt: ['a', words] }],
  ['chat', '/v1/completions', { model: 'm', prompt: words }],
]

const rule = { name: 'launch codes', pattern: 'launch code', action: 'refuse' } as const

test.each(requests)(
  'a guardrail refuses what it finds in a request of %s at %s',
  async (family, path, body) => {
    await using stage = await embeddingStage([family], { plugins: [guardrail({ rules: [rule] })] })
    const { status, text } = await stage.post({ path, body })
    expect(status).toBe(422)
    expect(text).toContain('breaks the rule')
    expect(stage.sandbox.requests).toHaveLength(0)
  },
)

test('a guardrail masks a prompt, natively and translated', async () => {
  const mask = { ...rule, action: 'mask' } as const
  for (const family of ['completions', 'chat']) {
    await using stage = await embeddingStage([family], { plugins: [guardrail({ rules: [mask] })] })
    const { status, text } = await stage.post({
      path: '/v1/completions',
      body: { model: 'm', prompt: words, max_tokens: 50, top_p: 0.5 },
    })
    expect([status, text.includes('What is the [removed]?')]).toEqual([200, true])
    expect(stage.sandbox.requests[0]!.body.toString()).not.toContain('launch code')
  }
})

describe('limits', () => {
  test.each([
    ['embeddings', { input: 'one two three' }, 3],
    ['embed-content', { input: 'one two three' }, undefined],
  ])(
    'of tokens count the prompt alone, as accounts that speak %s report it',
    async (family, fields, tokens) => {
      const quotas = [{ kind: 'tokens', amount: 1_000, window: 'day' }] as const
      await using stage = await embeddingStage([family], {
        keys: [{ id: 'test', secret: 'test-secret', quotas: [...quotas] }],
      })
      const asked = await stage.post({ path: '/v1/embeddings', body: { model: 'm', ...fields } })
      // Without an answer of 4,096 tokens, which the limit has no room for.
      expect(asked.status).toBe(200)
      const left = Number(asked.headers.get('x-ratelimit-remaining-tokens'))
      expect(left).toBeGreaterThan(950)
      expect(left).toBeLessThan(1_000)
      const [line] = await stage.gateway.logged(1)
      expect(line?.input_tokens).toBe(tokens)
    },
  )
})

test.each(['/v1/embeddings', '/v1/rerank', '/v1/moderations', '/v1/completions'])(
  'no error of an account at %s shows its key',
  async (path) => {
    const key = 'key-of-account'
    const error = { message: `Incorrect key ${key} at this place`, type: 'x' }
    const speaks = ['embeddings', 'rerank', 'moderations', 'completions']
    for (const answer of [answerJson({ error }, { status: 400 }), answerJson({ error })]) {
      await using stage = await accountStage([answer], { provider: 'openai-compatible', speaks })
      const body = { model: 'm', input: 'a', prompt: 'a', query: 'a', documents: ['a'] }
      const { status, text } = await stage.post({ path, body })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(key)
    }
  },
)
