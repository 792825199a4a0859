import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage, embeddingStage } from '../embeddings/stage.ts'

const documents = ['a dog', 'a small cat', { text: 'no animal' }]
const body = { model: 'm', query: 'small cat', documents }

test.each(['/v1/rerank', '/v2/rerank', '/rerank'])('%s orders documents', async (path) => {
  await using stage = await embeddingStage(['rerank'])
  const fields = { top_n: 2, return_documents: true }
  const { status, json } = await stage.post({ path, body: { ...body, ...fields } })
  expect(status).toBe(200)
  expect(json.results).toEqual([
    { index: 1, relevance_score: 1, document: { text: 'a small cat' } },
    { index: 0, relevance_score: 0, document: { text: 'a dog' } },
  ])
  expect(stage.sandbox.requests[0]!.url).toBe('/v1/rerank')
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ status: 200, route: 'rerank.create', model_resolved: 'm' })
})

const account = { provider: 'openai-compatible' }

describe('whatever form an account answers in', () => {
  const speaking = (answer: object) =>
    accountStage([answerJson(answer)], { ...account, speaks: ['rerank'] })

  test('ranks in `data`, as of Voyage, come in `results`', async () => {
    await using stage = await speaking({
      object: 'list',
      data: [
        { index: 1, relevance_score: 0.9, document: 'a small cat' },
        { index: 0, relevance_score: 0.1 },
      ],
      model: 'rerank-2',
      usage: { total_tokens: 12 },
    })
    const { json } = await stage.post({ path: '/v1/rerank', body })
    expect(json).toMatchObject({
      results: [
        { index: 1, relevance_score: 0.9, document: { text: 'a small cat' } },
        { index: 0, relevance_score: 0.1 },
      ],
      model: 'rerank-2',
    })
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ input_tokens: 12, output_tokens: 0 })
  })

  test('ranks of Jina and vLLM pass byte for byte', async () => {
    const text =
      '{ "results":[{"index":0,"document":{"text":"a"},"relevance_score":1}],"usage":{"total_tokens":3} }'
    await using stage = await speaking(text as unknown as object)
    expect((await stage.post({ path: '/v1/rerank', body })).text).toBe(text)
  })
})

describe('a request that every account would refuse reaches none', () => {
  test.each<[object, string]>([
    [{ query: undefined }, 'query'],
    [{ query: ' ' }, 'query'],
    [{ documents: undefined }, 'documents'],
    [{ documents: [] }, 'documents'],
    [{ documents: ['a', 1] }, 'documents[1]'],
    [{ top_n: 0 }, 'top_n'],
    [{ return_documents: 'yes' }, 'return_documents'],
    [{ model: undefined }, 'model'],
  ])('%j: %s', async (fields, param) => {
    await using stage = await embeddingStage(['rerank'])
    const { status, json } = await stage.post({ path: '/v1/rerank', body: { ...body, ...fields } })
    expect(status).toBe(400)
    expect(json.error.param).toBe(param)
    // SDKs of Cohere read it here.
    expect(json.message).toBe(json.error.message)
    expect(stage.sandbox.requests).toHaveLength(0)
  })
})

test('units of searches have the price of a search', async () => {
  await using stage = await embeddingStage(['rerank'], {
    prices: { 'sandbox/echo': { units: { search: '0.002' } } },
    keys: [{ id: 'test', secret: 'test-secret', explain: true }],
  })
  const asked = { 'x-dragoman-explain': '1' }
  const { headers } = await stage.post({ path: '/v1/rerank', body }, asked)
  expect(headers.get('x-dragoman-cost')).toBe('0.002')
})
