import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage, embeddingStage } from '../embeddings/stage.ts'
import { openaiVersions } from '../sdk/openai.ts'

const path = '/v1/images/generations'
const model = 'gemini-image'
const body = { model, prompt: 'a cat' }
const models = { [model]: 'gemini-2.5-flash-image' }

test.each(openaiVersions)('$name draws with a model of Gemini', async (version) => {
  await using stage = await embeddingStage(['generate'], {}, models)
  const client = version.connect(stage)
  const { data, usage } = await client.images.generate({
    model,
    prompt: 'a cat',
    n: 2,
    size: '1536x1024',
  })
  expect(data).toHaveLength(2)
  const image = Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
  expect(image.subarray(1, 4).toString()).toBe('PNG')
  // 3:2
  expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([192, 128])
  expect(usage?.total_tokens).toBeGreaterThan(0)
  expect(stage.sandbox.requests.map(({ url }) => url)).toEqual(
    Array.from({ length: 2 }, () => '/v1beta/models/gemini-2.5-flash-image:generateContent'),
  )
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ status: 200, attempts: 1, route: 'images.generate' })
})

describe('what an account of Gemini cannot do', () => {
  test.each<[object, string]>([
    [{ stream: true }, 'stream'],
    [{ background: 'transparent' }, 'background'],
    [{ output_format: 'webp' }, 'output_format'],
    [{ svg: { model: 'x' } }, 'svg'],
  ])('%j is refused', async (fields, param) => {
    await using stage = await embeddingStage(['generate'], {}, { ...models, x: 'x' })
    const { status, json } = await stage.post({ path, body: { ...body, ...fields } })
    expect([status, json.error.param]).toEqual([400, param])
    expect(stage.sandbox.requests).toHaveLength(0)
  })

  test('is named as a loss, if it is no other picture', async () => {
    await using stage = await embeddingStage(['generate'], {}, models)
    const fields = { quality: 'high', moderation: 'low', size: '1024x1024', background: 'auto' }
    const { status, headers } = await stage.post({ path, body: { ...body, ...fields } })
    expect(status).toBe(200)
    const named = headers.get('x-dragoman-losses')?.match(/\w+/g)
    expect(new Set(named)).toEqual(new Set(['quality', 'moderation', 'size']))
  })
})

test.each([
  ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'SAFETY'],
  [
    'an image that a filter took',
    { candidates: [{ finishReason: 'IMAGE_SAFETY' }] },
    'IMAGE_SAFETY',
  ],
])('%s is its caller’s fault, and opens no circuit', async (_, reply, reason) => {
  await using stage = await accountStage([answerJson(reply)], {
    provider: 'gemini',
    models: [model],
  })
  for (let times = 0; times < 7; times++) {
    const { status, json } = await stage.post({ path, body })
    expect(status).toBe(400)
    expect(json.error.message).toContain(reason)
  }
  expect(stage.servers[0]!.requests).toHaveLength(7)
})
