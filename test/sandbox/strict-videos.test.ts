import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { postForm, postJson, postRaw, refusalOf, type Part } from './forms.ts'
import { dataUrl, pngFile } from './pictures.ts'

const path = '/v1/videos'

describe('a reference', () => {
  const size: Part = ['size', '720x1280']
  const fitting = pngFile([720, 1280])
  test.each<[string, Part[]]>([
    ['a file', [['input_reference', fitting]]],
    ['an address', [['input_reference[image_url]', 'https://example.com/a.png']]],
    ['a file elsewhere', [['input_reference[file_id]', 'file-1']]],
  ])('may be %s', async (_, parts) => {
    await using sandbox = await startSandbox()
    const response = await postForm(sandbox, path, [['prompt', 'x'], size, ...parts])
    expect(response.status).toBe(200)
  })

  test('may be data in JSON', async () => {
    await using sandbox = await startSandbox()
    const reference = async (file: File) => ({
      prompt: 'x',
      input_reference: { image_url: await dataUrl(file) },
    })
    expect((await postJson(sandbox, path, await reference(fitting))).status).toBe(200)
    const other = await postJson(sandbox, path, await reference(pngFile(64)))
    expect(await refusalOf(other)).toMatchObject({
      status: 400,
      message: 'Inpaint image must match the requested width and height',
    })
  })

  test.each<[string, Part[]]>([
    ['an image of another size', [['input_reference', pngFile(64)]]],
    ['no image', [['input_reference', new File(['x'], 'a.png', { type: 'image/png' })]]],
    ['an unknown type', [['input_reference', pngFile(64, { type: 'text/plain' })]]],
    ['text', [['input_reference', 'https://example.com/a.png']]],
    [
      'both',
      [
        ['input_reference[image_url]', 'https://a/b'],
        ['input_reference[file_id]', 'f'],
      ],
    ],
    [
      'two files',
      [
        ['input_reference', fitting],
        ['input_reference', fitting],
      ],
    ],
    ['a file of another name', [['image', fitting]]],
  ])('may not be %s', async (_, parts) => {
    await using sandbox = await startSandbox()
    const response = await postForm(sandbox, path, [['prompt', 'x'], size, ...parts])
    expect(response.status).toBe(400)
  })
})

test.each([
  ['no prompt', { model: 'm' }, 'prompt'],
  ['a number of seconds', { prompt: 'x', seconds: 4 }, 'seconds'],
  ['other seconds', { prompt: 'x', seconds: '5' }, 'seconds'],
  ['another size', { prompt: 'x', size: '640x480' }, 'size'],
  ['anything else', { prompt: 'x', fps: 24 }, 'fps'],
])('%s is refused', async (_, body, param) => {
  await using sandbox = await startSandbox()
  const refusal = await refusalOf(await postJson(sandbox, path, body))
  expect(refusal).toMatchObject({ status: 400, param })
})

test('a remix names no model, and a body that is neither form nor JSON is none', async () => {
  await using sandbox = await startSandbox()
  const { id } = await clientsOf(sandbox).openai.videos.create({
    prompt: 'a cat',
    model: 'm/polls=0',
  })
  await clientsOf(sandbox).openai.videos.retrieve(id)
  const remix = await postJson(sandbox, `${path}/${id}/remix`, { prompt: 'x', model: 'm' })
  expect(await refusalOf(remix)).toMatchObject({ status: 400, param: 'model' })
  expect((await postForm(sandbox, `${path}/${id}/remix`, [['prompt', 'x']])).status).toBe(200)
  expect((await postRaw(sandbox, path, 'text/plain', 'x')).status).toBe(415)
})
