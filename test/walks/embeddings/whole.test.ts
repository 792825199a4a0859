import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage } from './stage.ts'

const embeddings = (...indexes: (number | undefined)[]) => ({
  object: 'list',
  data: indexes.map((index, at) => ({ object: 'embedding', index, embedding: [at] })),
  model: 'm',
  usage: { prompt_tokens: 3, total_tokens: 3 },
})
const contents = (count: number) => ({
  embeddings: Array.from({ length: count }, (_, at) => ({ values: [at] })),
})
const predictions = (count: number) => ({
  predictions: Array.from({ length: count }, (_, at) => ({ embeddings: { values: [at] } })),
})
const ranks = (...indexes: (number | string | undefined)[]) => ({
  results: indexes.map((index) => ({ index, relevance_score: 0.5 })),
})
const listed = (...indexes: number[]) => ({
  data: indexes.map((index) => ({ index, relevance_score: 0.5 })),
})
const judged = (count: number) => ({
  id: 'modr-1',
  model: 'm',
  results: Array.from({ length: count }, () => ({ flagged: false, categories: {} })),
})

const part = { type: 'text', text: 'a' }
const content = { content: { parts: [{ text: 'a' }] } }
const two = { model: 'm', input: ['a', 'b'], encoding_format: 'float' }
const rank = { model: 'm', query: 'q', documents: ['a', 'b'] }

interface Case {
  readonly path: string
  readonly provider: string
  readonly speaks: string[]
  readonly body: object
  readonly good: object
  readonly bad: readonly object[]
}

const cases: readonly Case[] = [
  {
    path: '/v1/embeddings',
    provider: 'openai',
    speaks: ['embeddings'],
    body: two,
    good: embeddings(1, 0),
    bad: [embeddings(0), embeddings(0, 1, 2), embeddings(0, 0), embeddings(1, 2), embeddings()],
  },
  {
    path: '/v1beta/models/m:batchEmbedContents',
    provider: 'gemini',
    speaks: ['embed-content'],
    body: { requests: [content, content] },
    good: contents(2),
    bad: [contents(1), contents(3), { embeddings: [null, {}] }, { embeddings: 2 }],
  },
  {
    path: '/v1beta1/publishers/google/models/m:predict',
    provider: 'sandbox',
    speaks: ['predict'],
    body: { instances: [{ content: 'a' }, { content: 'b' }] },
    good: predictions(2),
    bad: [predictions(1), predictions(3)],
  },
  {
    path: '/v1/rerank',
    provider: 'openai-compatible',
    speaks: ['rerank'],
    body: rank,
    good: ranks(1),
    bad: [ranks(2), ranks(0, 0), ranks(0, 1, 1), ranks(undefined), ranks('0'), listed(0, 0)],
  },
  {
    path: '/v1/moderations',
    provider: 'openai',
    speaks: ['moderations'],
    body: { model: 'm', input: ['a', 'b'] },
    good: judged(2),
    bad: [judged(1), judged(3), judged(0), { results: [{}, {}] }, { results: [null, null] }],
  },
  {
    path: '/v1/moderations',
    provider: 'openai',
    speaks: ['moderations'],
    body: { model: 'm', input: [part, part] },
    good: judged(1),
    bad: [judged(0), { results: [{ flagged: 'no' }] }],
  },
]

describe.each(cases)('$path', ({ path, body, good, bad, ...account }) => {
  test.each(bad)('%j does not answer what was asked: another account does', async (reply) => {
    await using stage = await accountStage([answerJson(reply), answerJson(good)], account)
    const { status, headers } = await stage.post({ path, body })
    expect([status, headers.get('x-dragoman-account')]).toEqual([200, 'account-1'])
  })

  test('without another one it is an error of the account', async () => {
    await using stage = await accountStage([answerJson(bad[0]!)], account)
    expect((await stage.post({ path, body })).status).toBe(502)
  })

  test('a whole one passes', async () => {
    await using stage = await accountStage([answerJson(good)], account)
    expect((await stage.post({ path, body })).status).toBe(200)
  })
})

test.each([
  ['a text', 'a'],
  ['tokens', [1, 2, 3]],
  ['a list of tokens', [[1, 2, 3]]],
])('%s has one embedding', async (_, input) => {
  await using stage = await accountStage([answerJson(embeddings(undefined))])
  const body = { ...two, input }
  expect((await stage.post({ path: '/v1/embeddings', body })).status).toBe(200)
})
