import { describe, expect, test } from 'vitest'

import { tokensOfPredictions } from '../../../plugins/dialects/predict/codec.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import {
  type Json,
  accountStage,
  embeddingStage,
  families,
  requestOf,
  sandboxVector,
} from './stage.ts'

const cases = families.flatMap((client) => families.map((account) => [client, account] as const))

/** The vector of a reply of any dialect. */
function vectorIn(json: Json): unknown {
  return (
    json.data?.[0].embedding ?? json.embedding?.values ?? json.predictions?.[0].embeddings.values
  )
}

test.each(cases)('clients of %s are served by accounts that speak %s', async (client, account) => {
  await using stage = await embeddingStage([account])
  const { status, json } = await stage.post(requestOf[client]('a cat'))
  expect(status, JSON.stringify(json)).toBe(200)
  expect(vectorIn(json)).toEqual(sandboxVector('a cat'))
  const [line] = await stage.gateway.logged(1)
  // Gemini reports no use.
  const usage = account === 'embed-content' ? {} : { input_tokens: 2, output_tokens: 0 }
  expect(line).toMatchObject({ status: 200, account: 'a', model_resolved: 'm', ...usage })
})

const openAiReply = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [1, 2] }],
  model: 'x',
  usage: { prompt_tokens: 3, total_tokens: 3 },
}

describe('settings that an account of OpenAI does not have are named losses', () => {
  test.each([
    [
      'embed-content',
      '/v1beta/models/m:embedContent',
      { content: { parts: [{ text: 'a' }] }, taskType: 'CLUSTERING', title: 'A', tool: 1 },
      'taskType, title, tool',
    ],
    [
      'predict',
      '/v1/projects/p/locations/l/publishers/google/models/m:predict',
      {
        instances: [{ content: 'a', task_type: 'CLUSTERING', mimeType: 'x' }],
        parameters: { autoTruncate: true, outputDimensionality: 2 },
      },
      'instances.task_type, mimeType, parameters.autoTruncate',
    ],
  ])('of %s', async (_, path, body, losses) => {
    await using stage = await accountStage([answerJson(openAiReply)])
    const { headers, json } = await stage.post({ path, body })
    expect(vectorIn(json)).toEqual([1, 2])
    const named = headers.get('x-dragoman-losses') ?? ''
    expect(new Set(named.match(/[\w.]+/g))).toEqual(new Set(losses.split(', ')))
    const sent = JSON.parse(stage.servers[0]!.requests[0]!.body.toString())
    expect(sent).toEqual({
      model: 'm',
      input: ['a'],
      ...(_ === 'predict' && { dimensions: 2 }),
    })
  })
})

test('two hundred and one inputs are three batches at Gemini, and one reply', async () => {
  await using stage = await embeddingStage(['embed-content'])
  const input = Array.from({ length: 201 }, (_, index) => `text ${index}`)
  const { json } = await stage.post({ path: '/v1/embeddings', body: { model: 'm', input } })
  expect(json.data.map((one: { embedding: number[] }) => one.embedding)).toEqual(
    input.map((one) => sandboxVector(one)),
  )
  const sizes = stage.sandbox.requests.map(
    ({ body: sent }) => JSON.parse(sent.toString()).requests.length,
  )
  expect(sizes).toEqual([100, 100, 1])
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ status: 200, attempts: 1 })
})

test('tokens in place of a text reach accounts of OpenAI only', async () => {
  await using stage = await embeddingStage(['embed-content'])
  const body = { model: 'm', input: [1, 2, 3] }
  const { status, json } = await stage.post({ path: '/v1/embeddings', body })
  expect(status).toBe(400)
  expect(json.error).toMatchObject({ param: 'input' })
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('parts that are no text do not reach accounts of texts', async () => {
  const body = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }
  await using stage = await accountStage([answerJson(openAiReply)])
  const { status, json } = await stage.post({ path: '/v1beta/models/m:embedContent', body })
  expect(status).toBe(400)
  expect(json.error.message).toContain('embeds texts only')
})

test.each([
  ['fewer', [[1]]],
  ['more', [[1], [2], [3]]],
  ['none', []],
])('a reply with %s vectors than inputs is none', async (_, vectors) => {
  const embeddings = vectors.map((values) => ({ values }))
  await using stage = await accountStage([answerJson({ embeddings })], { provider: 'gemini' })
  const body = { model: 'm', input: ['a', 'b'] }
  const { status, json } = await stage.post({ path: '/v1/embeddings', body })
  expect(status).toBe(502)
  expect(json.error.details[0]).toMatchObject({ code: 'upstream_invalid_reply' })
})

test('a number that no call has is no count of tokens', () => {
  const prediction = (count: number) => ({
    embeddings: { values: [1], statistics: { token_count: count } },
  })
  const sumOf = (...counts: number[]) =>
    tokensOfPredictions({ predictions: counts.map(prediction) })
  expect(sumOf(3, 4.0)).toBe(7)
  expect(sumOf(1e308, 1e308)).toBeUndefined()
  expect(sumOf(3, -1)).toBeUndefined()
})
