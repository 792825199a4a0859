import { expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { dataUrl, pngFile } from '../../sandbox/pictures.ts'
import { edit, legacy, newer } from './limits.ts'
import { imageStage, type Part, refusalIn } from './stage.ts'

const now = () => 1_700_000_000_000

async function answered(answer: Answer, model: typeof newer, ...fields: (typeof newer)[]) {
  await using account = await startFakeAccount(answer)
  await using stage = await imageStage({
    now,
    accounts: [{ provider: 'openai-compatible', speaks: ['images'], baseUrl: `${account.url}/v1` }],
  })
  const response = await stage.form(edit(model, ...fields))
  return { status: response.status, text: await response.text() }
}

async function base64Of(file: File): Promise<string> {
  return (await dataUrl(file)).replace(/^.*,/, '')
}

const wide = pngFile([1536, 1024])

test('what an account leaves out is told as far as it can be known', async () => {
  const data = [{ b64_json: await base64Of(wide), seed: 7 }]
  const { text } = await answered(answerJson({ data, by: 'them' }), newer, ['quality', 'low'])
  expect(JSON.parse(text)).toEqual({
    created: 1_700_000_000,
    data,
    by: 'them',
    output_format: 'png',
    size: '1536x1024',
    quality: 'low',
  })
})

test('what came of `auto` is known by the image alone', async () => {
  const data = [{ b64_json: await base64Of(wide) }]
  const auto = ['size', 'quality', 'background'].map((name): typeof newer => [name, 'auto'])
  const { text } = await answered(answerJson({ data, created: 1 }), newer, ...auto)
  expect(JSON.parse(text)).toEqual({ created: 1, data, output_format: 'png', size: '1536x1024' })
})

test('a reply that has all of it comes byte for byte', async () => {
  const reply = `{"created": 1.0e0, "data": [{"b64_json": "AAAA"}], "background": "opaque",
    "output_format": "png", "quality": "high", "size": "1024x1024", "own": 12345678901234567890}`
  expect(await answered(answerJson(reply), newer)).toEqual({ status: 200, text: reply })
})

test('addresses of an account are the client’s too', async () => {
  const data = [{ url: 'https://pictures.example/1.png', revised_prompt: 'a hat' }]
  const { text } = await answered(answerJson({ created: 5, data }), legacy, ['size', '1024x1024'])
  expect(JSON.parse(text)).toEqual({ created: 5, data, size: '1024x1024' })
})

test.each([[{}], [{ data: [] }], [{ data: [{ b64_json: 7 }] }], [[]], [7]])(
  'a reply without an image (%j) is none',
  async (reply) => {
    expect((await answered(answerJson(reply), newer)).status).toBe(502)
  },
)

test('an error that comes with 200 is an error', async () => {
  const error = { message: 'no such picture', type: 'invalid_request_error' }
  const { status, text } = await answered(answerJson({ error }), newer)
  expect(status).toBe(400)
  expect(text).toContain('no such picture')
})

test('an account’s refusal reaches the client in the general envelope', async () => {
  await using stage = await imageStage()
  const images = [{ image_url: 'https://pictures.example/cat.png' }]
  const response = await stage.json({ prompt: 'x', model: newer[1], images, unknown_field: 1 })
  expect(await refusalIn(response)).toMatchObject({ status: 400, param: 'unknown_field' })
})

test('another account is asked where the first one cannot, and gets the same', async () => {
  await using stage = await imageStage({ accounts: [{ id: 'a' }, { id: 'b', priority: 1 }] })
  const { key, url } = stage.gateway
  const send = (image: string) => {
    const body = new FormData()
    body.append(image, pngFile())
    body.append('prompt', 'x')
    body.append('model', newer[1])
    const headers = { authorization: `Bearer ${key}`, 'x-sandbox': 'only=a; status=503' }
    return fetch(`${url}/v1/images/edits`, { method: 'POST', headers, body })
  }
  for (const name of ['image', 'image.0']) {
    const response = await send(name)
    expect(response.headers.get('x-dragoman-account')).toBe('b')
    const [first, second] = stage.sandbox.requests.splice(0).map(({ form }) => form)
    expect(first?.files).toHaveLength(1)
    expect(second?.files).toEqual(first?.files)
  }
})

test('accounts that speak other dialects are not asked', async () => {
  await using stage = await imageStage({ accounts: [{ speaks: ['chat'] }] })
  const response = await stage.form(edit(newer))
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(stage.sandbox.requests).toEqual([])
})

test('a size that no result has is not told, be it the image’s, the request’s or the account’s', async () => {
  const data = [{ b64_json: await base64Of(pngFile()) }]
  const reply = answerJson({ created: 5, data, size: '64x64', quality: 'standard' })
  const fields: Part[] = [
    ['size', '256x256'],
    ['quality', 'standard'],
  ]
  const { text } = await answered(reply, legacy, ...fields, ['response_format', 'b64_json'])
  expect(JSON.parse(text)).toEqual({ created: 5, data, output_format: 'png' })
})

test('a later model has sizes and qualities of its own in its results, too', async () => {
  const data = [{ b64_json: await base64Of(pngFile()) }]
  const reply = answerJson({ created: 5, data, quality: 'xhigh' })
  const { text } = await answered(reply, ['model', 'gpt-image-2'])
  expect(JSON.parse(text)).toEqual({
    created: 5,
    data,
    output_format: 'png',
    size: '64x64',
    quality: 'xhigh',
  })
})

test('a client gets no more images than it asked for, and the first of them', async () => {
  const data = Array.from({ length: 4 }, (_, index) => ({ b64_json: `AAA${index}` }))
  const { text } = await answered(answerJson({ created: 5, data }), newer, ['n', '2'])
  expect(JSON.parse(text)).toEqual({ created: 5, data: data.slice(0, 2) })
})
