import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { postForm, postJson, refusalOf, type Part } from './forms.ts'
import { heavyPng, jpegFile, pngFile } from './pictures.ts'

const path = '/v1/images/edits'
const clear = { seeThrough: true }
const megabyte = 1024 * 1024

async function edit(parts: Part[]) {
  await using sandbox = await startSandbox()
  return refusalOf(await postForm(sandbox, path, parts))
}

describe('GPT image models refuse', () => {
  const prompt: Part = ['prompt', 'x']
  const image: Part = ['image', pngFile()]
  test.each<[string, Part[], string, string]>([
    ['no image', [prompt], 'image', 'missing_required_parameter'],
    ['no prompt', [image], 'prompt', 'missing_required_parameter'],
    ['text for an image', [['image', 'https://a/b.png'], prompt], 'image', 'invalid_type'],
    ['another file', [image, prompt, ['extra', pngFile()]], 'extra', 'unknown_parameter'],
    ['an unknown field', [image, prompt, ['colour', 'red']], 'colour', 'unknown_parameter'],
    ['a field twice', [image, prompt, ['n', '1'], ['n', '2']], 'n', 'duplicate_parameter'],
    ['a word for a number', [image, prompt, ['n', 'two']], 'n', 'invalid_type'],
    ['a word for a switch', [image, prompt, ['stream', 'yes']], 'stream', 'invalid_type'],
    ['eleven images', [image, prompt, ['n', '11']], 'n', 'number_above_max_value'],
    ['four drafts', [image, prompt, ['partial_images', '4']], 'partial_images', 'above_max'],
    ['an old size', [image, prompt, ['size', '256x256']], 'size', 'invalid_value'],
    ['an old quality', [image, prompt, ['quality', 'standard']], 'quality', 'invalid_value'],
    ['an old answer', [image, prompt, ['response_format', 'url']], 'response_format', 'unknown'],
    [
      'an unknown type of file',
      [['image', pngFile(64, { type: 'application/octet-stream' })], prompt],
      'image',
      'unsupported_file_mimetype',
    ],
    [
      'the second file, by its place',
      [['image[]', pngFile()], ['image[]', pngFile(64, { type: 'image/gif' })], prompt],
      'image[1]',
      'unsupported_file_mimetype',
    ],
    [
      'a file that is none of what it says',
      [['image', new File(['nonsense'], 'a.png', { type: 'image/png' })], prompt],
      'image',
      'invalid_image_file',
    ],
    ['a mask without alpha', [image, prompt, ['mask', pngFile()]], 'mask', 'mask_image_format'],
    [
      'a mask of another size',
      [image, prompt, ['mask', pngFile(32, clear)]],
      'mask',
      'invalid_mask_image_format',
    ],
    ['a mask that is no PNG', [image, prompt, ['mask', jpegFile()]], 'mask', 'mask_image_format'],
    [
      'a clear JPEG',
      [image, prompt, ['background', 'transparent'], ['output_format', 'jpeg']],
      'background',
      'invalid_value',
    ],
    [
      'seventeen files',
      [prompt, ...Array.from({ length: 17 }, (): Part => ['image[]', pngFile()])],
      'image',
      'array_above_max_item_count',
    ],
  ])('%s', async (_, parts, param, code) => {
    const refusal = await edit([['model', 'gpt-image-1'], ...parts])
    expect(refusal).toMatchObject({ status: 400, type: 'invalid_request_error', param })
    expect(refusal).toHaveProperty('code', expect.stringContaining(code))
  })

  test('a mask of 4 MB', async () => {
    const mask = await heavyPng(4 * megabyte, true)
    const parts: Part[] = [['model', 'gpt-image-1'], image, prompt, ['mask', mask]]
    expect(await edit(parts)).toMatchObject({ param: 'mask', code: 'file_too_large' })
  })
})

describe('dall-e-2 refuses', () => {
  const model: Part = ['model', 'dall-e-2']
  const image: Part = ['image', pngFile(64, clear)]
  test.each<[string, Part[], string]>([
    [
      'a second image',
      [
        ['image[]', pngFile(64, clear)],
        ['image[]', pngFile()],
      ],
      'image',
    ],
    ['a JPEG', [['image', jpegFile()]], 'image'],
    ['an image that is no square', [['image', pngFile([64, 32], clear)]], 'image'],
    ['an image without alpha and mask', [['image', pngFile()]], 'image'],
    ['a newer field', [image, ['background', 'opaque']], 'background'],
    ['a newer size', [image, ['size', '1536x1024']], 'size'],
    ['a stream', [image, ['stream', 'true']], 'stream'],
    ['a long prompt', [image, ['prompt', 'x'.repeat(1001)]], 'prompt'],
  ])('%s', async (_, parts, param) => {
    const prompt: Part[] = param === 'prompt' ? [] : [['prompt', 'x']]
    expect(await edit([model, ...prompt, ...parts])).toMatchObject({ status: 400, param })
  })

  test('an image of 4 MB', async () => {
    const parts: Part[] = [model, ['prompt', 'x'], ['image', await heavyPng(4 * megabyte, true)]]
    expect(await edit(parts)).toMatchObject({ param: 'image', code: 'file_too_large' })
  })

  test('nothing of an image without alpha that comes with a mask', async () => {
    await using sandbox = await startSandbox()
    const parts: Part[] = [model, ['prompt', 'x'], ['image', pngFile()]]
    const response = await postForm(sandbox, path, [...parts, ['mask', pngFile(64, clear)]])
    expect(response.status).toBe(200)
  })
})

test('dall-e-3 edits nothing', async () => {
  const parts: Part[] = [
    ['model', 'dall-e-3'],
    ['prompt', 'x'],
    ['image', pngFile()],
  ]
  expect(await edit(parts)).toMatchObject({ status: 400, param: 'model' })
})

describe('JSON', () => {
  test.each([
    ['without images', { prompt: 'x' }, 'images'],
    ['with none', { prompt: 'x', images: [] }, 'images'],
    ['with an image that is nothing', { prompt: 'x', images: [{}] }, 'images[0]'],
    [
      'with an address of no kind',
      { prompt: 'x', images: [{ image_url: 'a' }] },
      'images[0].image_url',
    ],
    ['with text for a number', { prompt: 'x', n: '1', images: [{ file_id: 'f' }] }, 'n'],
  ])('%s is refused', async (_, body, param) => {
    await using sandbox = await startSandbox()
    const response = await postJson(sandbox, path, { model: 'gpt-image-1', ...body })
    expect(await refusalOf(response)).toMatchObject({ status: 400, param })
  })
})
