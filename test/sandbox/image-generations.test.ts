import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { readImageHeader } from '../../src/sandbox/media/read-image-header.ts'
import { clientsOf } from './clients.ts'
import { collect } from './collect.ts'
import { postJson, refusalOf } from './forms.ts'
import { pngFile } from './pictures.ts'

const path = '/v1/images/generations'

test('the official client has an image made, in a size of its own with a newer model', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const made = await openai.images.generate({ model: 'gpt-image-2', prompt: 'a', size: '1536x864' })
  const bytes = Buffer.from(made.data?.[0]?.b64_json ?? '', 'base64')
  expect(readImageHeader(bytes)).toMatchObject({ type: 'image/png', width: 1536, height: 864 })
  expect(made.usage?.input_tokens_details).toEqual({ image_tokens: 0, text_tokens: 1 })
})

test('dall-e-3 answers with an address and with the prompt as it was understood', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const made = await openai.images.generate({ model: 'dall-e-3', prompt: 'a cat', style: 'vivid' })
  expect(made.data?.[0]).toMatchObject({ revised_prompt: 'a cat' })
  expect((await fetch(made.data?.[0]?.url ?? '')).status).toBe(200)
})

describe('streams', () => {
  const base = { model: 'gpt-image-1', prompt: 'a cat', stream: true } as const

  test('an edit shows drafts, then the image with its usage', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const edit = { ...base, image: pngFile(), partial_images: 2 }
    const events = await collect(await openai.images.edit(edit))
    expect(events.map(({ type }) => type)).toEqual([
      'image_edit.partial_image',
      'image_edit.partial_image',
      'image_edit.completed',
    ])
    expect(events).toMatchObject([
      { partial_image_index: 0, size: '1024x1024', quality: 'medium', output_format: 'png' },
      { partial_image_index: 1, background: 'opaque' },
      { usage: { total_tokens: 2 + 194 + 1056 } },
    ])
    expect(new Set(events.map(({ b64_json }) => b64_json)).size).toBe(3)
  })

  test('a generation without drafts is one event', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const events = await collect(await openai.images.generate({ ...base, partial_images: 0 }))
    expect(events).toMatchObject([{ type: 'image_generation.completed' }])
  })

  test('an error on the way is thrown by the official client', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const steered = { headers: { 'x-sandbox': 'error=1; message=out of paintPicture' } }
    const stream = await openai.images.generate({ ...base, partial_images: 2 }, steered)
    await expect(collect(stream)).rejects.toThrow('out of paintPicture')
  })

  test('the model name cuts them off', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const cut = { ...base, model: 'sandbox/cut=1', partial_images: 2 }
    const stream = await openai.images.generate(cut)
    await expect(collect(stream)).rejects.toThrow()
  })
})

test('failures are ordered by the model of a form as well', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const edit = (model: string) => openai.images.edit({ model, prompt: 'x', image: pngFile() })
  await expect(edit('sandbox/status=429+retry-after=3')).rejects.toMatchObject({ status: 429 })
  await expect(edit('sandbox/reset')).rejects.toThrow('Connection error')
  await expect(edit('sandbox/refuse')).rejects.toMatchObject({
    status: 400,
    type: 'image_generation_user_error',
    code: 'moderation_blocked',
  })
  const legacy = { model: 'dall-e-2', prompt: 'x' }
  await expect(
    openai.images.generate(legacy, { headers: { 'x-sandbox': 'refuse' } }),
  ).rejects.toMatchObject({ status: 400, code: 'content_policy_violation' })
})

test.each([
  ['two images of dall-e-3', { model: 'dall-e-3', n: 2 }, 'n'],
  ['a stream of dall-e-2', { model: 'dall-e-2', stream: true }, 'stream'],
  ['a size of no model', { model: 'gpt-image-1', size: '100x100' }, 'size'],
  ['a size that is no multiple of 16', { model: 'gpt-image-2', size: '100x100' }, 'size'],
  ['a strip', { model: 'gpt-image-2', size: '1600x160' }, 'size'],
  ['a style of an older model', { model: 'gpt-image-1', style: 'vivid' }, 'style'],
  ['compression of a PNG', { model: 'gpt-image-1', output_compression: 50 }, 'output_compression'],
])('%s: refused', async (_, body, param) => {
  await using sandbox = await startSandbox()
  const refusal = await refusalOf(await postJson(sandbox, path, { prompt: 'x', ...body }))
  expect(refusal).toMatchObject({ status: 400, param })
})
