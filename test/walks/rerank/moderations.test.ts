import { describe, expect, test } from 'vitest'

import { openaiVersions } from '../sdk/openai.ts'
import { caught } from '../sdk/walk.ts'
import { embeddingStage } from '../embeddings/stage.ts'

const models = { 'omni-moderation-latest': 'sandbox/echo', m: 'sandbox/echo' }

async function start(own: object = models) {
  return await embeddingStage(['moderations'], {}, own as Record<string, string>)
}

test.each(openaiVersions)('$name classifies texts, with a model or without', async (version) => {
  await using stage = await start()
  const client = version.connect(stage)
  const { results } = await client.moderations.create({ input: ['a cat', 'an attack'] })
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true])
  const named = await client.moderations.create({
    model: 'm',
    input: [{ type: 'text', text: 'a cat' }],
  })
  expect(named.results).toHaveLength(1)
  const sent = stage.sandbox.requests.map(({ body }) => JSON.parse(body.toString()).model)
  expect(sent).toEqual(['sandbox/echo', 'sandbox/echo'])
})

test.each(openaiVersions)('$name raises its typed errors', async (version) => {
  await using stage = await start()
  const client = version.connect(stage, { maxRetries: 0 })
  const asked = client.moderations.create({ input: [] as string[] })
  expect(await caught(version.OpenAI.BadRequestError, asked)).toMatchObject({ param: 'input' })
})

describe('a request that every account would refuse reaches none', () => {
  test.each<[object, string]>([
    [{}, 'input'],
    [{ input: 1 }, 'input'],
    [{ input: [1] }, 'input[0]'],
    [{ input: [{ text: 'a' }] }, 'input[0].type'],
    [{ input: [{ type: 'audio' }] }, 'input[0].type'],
    [{ input: [{ type: 'text' }] }, 'input[0].text'],
    [{ input: [{ type: 'image_url', image_url: 'a' }] }, 'input[0].image_url.url'],
    [{ input: 'a', model: ' ' }, 'model'],
  ])('%j: %s', async (body, param) => {
    await using stage = await start()
    const { status, json } = await stage.post({ path: '/v1/moderations', body })
    expect(status).toBe(400)
    expect(json.error.param).toBe(param)
    expect(stage.sandbox.requests).toHaveLength(0)
  })
})

test('without a model that is the default, the client has to name one', async () => {
  await using stage = await start({ m: 'sandbox/echo' })
  const { status, json } = await stage.post({ path: '/v1/moderations', body: { input: 'a' } })
  expect(status).toBe(400)
  expect(json.error.param).toBe('model')
})
