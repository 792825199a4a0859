import { describe, expect, test } from 'vitest'

import { embeddingStage } from './stage.ts'

const openAi = '/v1/embeddings'
const gemini = '/v1beta/models/m:embedContent'
const batch = '/v1beta/models/m:batchEmbedContents'
const vertex = '/v1beta1/publishers/google/models/m:predict'
const content = { parts: [{ text: 'a' }] }

describe('a request that every account would refuse reaches none', () => {
  test.each<[string, object, string]>([
    [openAi, { input: 'a' }, 'model'],
    [openAi, { model: 'm' }, 'input'],
    [openAi, { model: 'm', input: '' }, 'input'],
    [openAi, { model: 'm', input: [] }, 'input'],
    [openAi, { model: 'm', input: 3 }, 'input'],
    [openAi, { model: 'm', input: { text: 'a' } }, 'input'],
    [openAi, { model: 'm', input: ['a', ''] }, 'input[1]'],
    [openAi, { model: 'm', input: ['a', 1] }, 'input[1]'],
    [openAi, { model: 'm', input: [1.5] }, 'input[0]'],
    [openAi, { model: 'm', input: [[1], [-1]] }, 'input[1]'],
    [openAi, { model: 'm', input: [[]] }, 'input[0]'],
    [openAi, { model: 'm', input: Array.from({ length: 2049 }, () => 'a') }, 'input'],
    [openAi, { model: 'm', input: 'a', dimensions: 0 }, 'dimensions'],
    [openAi, { model: 'm', input: 'a', dimensions: '4' }, 'dimensions'],
    [openAi, { model: 'm', input: 'a', encoding_format: 'hex' }, 'encoding_format'],
    [openAi, { model: 'm', input: 'a', user: 1 }, 'user'],
    [gemini, {}, 'content'],
    [gemini, { content: 'a' }, 'content'],
    [gemini, { content, model: 'models/other' }, 'model'],
    [batch, {}, 'requests'],
    [batch, { requests: [] }, 'requests'],
    [batch, { requests: [1] }, 'requests[0]'],
    [batch, { requests: [{ model: 'models/m' }] }, 'requests[0].content'],
    [batch, { requests: [{ content, model: 'models/other' }] }, 'requests[0].model'],
    [batch, { requests: Array.from({ length: 101 }, () => ({ content })) }, 'requests'],
    [vertex, {}, 'instances'],
    [vertex, { instances: [] }, 'instances'],
    [vertex, { instances: [{ prompt: 'a cat' }] }, 'instances[0].content'],
    [vertex, { instances: [{ content: 'a' }], parameters: 1 }, 'parameters'],
  ])('%s %j: %s', async (path, body, param) => {
    await using stage = await embeddingStage(['embeddings', 'embed-content', 'predict'])
    const { status, json } = await stage.post({ path, body })
    expect(status).toBe(400)
    const named = json.error.param ?? json.error.details[0].metadata.field
    expect(named).toBe(param)
    expect(stage.sandbox.requests).toHaveLength(0)
  })
})

test('a batch names the model of the account in each of its requests, and keeps all other bytes', async () => {
  await using stage = await embeddingStage(['embed-content'])
  const { gateway, sandbox } = stage
  const sent =
    '{ "requests":[{"model":"models/m","content":{"parts":[{"text":"a"}]}} , {"content":{"parts":[{"text":"b"}]},"model": "models/m"}]}'
  const response = await fetch(gateway.url + batch, {
    method: 'POST',
    headers: { 'x-goog-api-key': gateway.key, 'content-type': 'application/json' },
    body: sent,
  })
  expect(response.status).toBe(200)
  expect(sandbox.requests[0]!.body.toString()).toBe(
    sent.replaceAll('models/m', 'models/sandbox/echo'),
  )
})

test('a key embeds with its models only, also where a body names another one than the path', async () => {
  const keys = [{ id: 'test', secret: 'test-secret', models: ['m'] }]
  await using stage = await embeddingStage(['embeddings', 'embed-content', 'predict'], { keys })
  const other = { model: 'sandbox/echo', input: 'a' }
  expect((await stage.post({ path: openAi, body: other })).status).toBe(404)
  const hidden = { requests: [{ content, model: 'models/sandbox/echo' }] }
  expect((await stage.post({ path: batch, body: hidden })).status).toBe(400)
  const path = '/v1beta/models/sandbox/echo:embedContent'
  expect((await stage.post({ path, body: { content } })).status).toBe(404)
  expect(stage.sandbox.requests).toHaveLength(0)
})
