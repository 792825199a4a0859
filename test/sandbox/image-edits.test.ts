import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { readImageHeader } from '../../src/sandbox/media/read-image-header.ts'
import { clientsOf } from './clients.ts'
import { postForm, postJson } from './forms.ts'
import { dataUrl, jpegFile, pngFile, webpFile } from './pictures.ts'

const path = '/v1/images/edits'

function imageOf({ data }: { data?: { b64_json?: string }[] }, index = 0) {
  return readImageHeader(Buffer.from(data?.[index]?.b64_json ?? '', 'base64'))
}

test('the official client has one file edited, with a mask', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const edited = await openai.images.edit({
    model: 'gpt-image-1',
    prompt: 'a hat on the cat',
    image: pngFile(),
    mask: pngFile(64, { seeThrough: true }),
    size: '1536x1024',
    background: 'transparent',
    n: 2,
  })
  expect(edited).toMatchObject({
    background: 'transparent',
    output_format: 'png',
    quality: 'medium',
    size: '1536x1024',
    usage: {
      input_tokens: 5 + 194,
      input_tokens_details: { text_tokens: 5, image_tokens: 194 },
      total_tokens: 5 + 194 + 2 * 1056,
    },
  })
  expect(edited.data).toHaveLength(2)
  const png = { type: 'image/png', width: 1536, height: 1024, hasAlpha: true }
  expect([imageOf(edited, 0), imageOf(edited, 1)]).toEqual([png, png])
})

test('many files of all kinds arrive byte for byte, and JPEG or WebP comes back', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const image = [pngFile(), jpegFile(), webpFile()]
  const base = { model: 'gpt-image-1', prompt: 'x', image, output_compression: 80 }
  expect(imageOf(await openai.images.edit({ ...base, output_format: 'jpeg' }))?.type).toBe(
    'image/jpeg',
  )
  expect(imageOf(await openai.images.edit({ ...base, output_format: 'webp' }))?.type).toBe(
    'image/webp',
  )
  const digests = await Promise.all(
    image.map(async (file) =>
      createHash('sha256')
        .update(new Uint8Array(await file.arrayBuffer()))
        .digest('hex'),
    ),
  )
  expect(sandbox.requests[0]?.form?.files).toMatchObject(
    digests.map((sha256) => ({ name: 'image[]', sha256 })),
  )
})

test.each([
  [['image']],
  [['image[]', 'image[]']],
  [['images[]', 'images[]']],
  [['image.0', 'image.1']],
  [['image[1]', 'image[0]']],
  [['images']],
])('files are taken as %j, in front of the text as well', async (names) => {
  await using sandbox = await startSandbox()
  const response = await postForm(sandbox, path, [
    ...names.map((name): [string, File] => [name, pngFile()]),
    ['prompt', 'x'],
    ['model', 'gpt-image-1'],
  ])
  expect(response.status).toBe(200)
  const { usage } = (await response.json()) as {
    usage: { input_tokens_details: { image_tokens: number } }
  }
  expect(usage.input_tokens_details.image_tokens).toBe(names.length * 194)
})

test('a numbered file keeps its place, whenever it comes', async () => {
  await using sandbox = await startSandbox()
  const mask = pngFile(32, { seeThrough: true })
  const edit = (first: string, second: string) =>
    postForm(sandbox, path, [
      [first, pngFile(64)],
      [second, pngFile(32)],
      ['mask', mask],
      ['prompt', 'x'],
      ['model', 'gpt-image-1'],
    ])
  expect((await edit('image[1]', 'image[0]')).status).toBe(200)
  expect((await edit('image[0]', 'image[1]')).status).toBe(400)
})

test('JSON names images by address, as data or as files', async () => {
  await using sandbox = await startSandbox()
  const response = await postJson(sandbox, path, {
    model: 'gpt-image-1',
    prompt: 'x',
    images: [
      { image_url: await dataUrl(pngFile()) },
      { image_url: 'https://example.com/cat.png' },
      { file_id: 'file-123' },
    ],
    mask: { image_url: await dataUrl(pngFile(64, { seeThrough: true })) },
  })
  expect(await response.json()).toMatchObject({
    usage: { input_tokens_details: { image_tokens: 3 * 194 } },
  })
})
