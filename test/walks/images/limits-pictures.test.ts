import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { heavyPng, jpegFile, pngFile, webpFile } from '../../sandbox/pictures.ts'
import { edit, legacy, newer, palettePng } from './limits.ts'
import { imageStage, type Part, refusalIn } from './stage.ts'

const MB = 1024 * 1024
const clear = { seeThrough: true }
const gif = new File([Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(64, 1)])], 'cat.png', {
  type: 'image/png',
})
const torn = new File([Buffer.from('89504e470d0a1a0a0000000d494844520000', 'hex')], 'cat.png', {
  type: 'image/png',
})
const many = (count: number) => Array.from({ length: count }, (): Part => ['image[]', pngFile()])

const refused: [what: string, param: string, parts: Part[]][] = [
  ['a GIF that is said to be a PNG', 'image', edit(newer, ['image', gif])],
  ['an image that ends in its header', 'image', edit(newer, ['image', torn])],
  ['an image without bytes', 'image', edit(newer, ['image', new File([], 'a.png')])],
  ['a JPEG for the legacy model', 'image', edit(legacy, ['image', jpegFile()])],
  [
    'a JPEG with a mask for the legacy model',
    'image',
    edit(legacy, ['image', jpegFile()], ['mask', pngFile(64, clear)]),
  ],
  ['an opaque image and no mask', 'image', edit(legacy, ['image', pngFile()])],
  ['an opaque palette and no mask', 'image', edit(legacy, ['image', palettePng(false)])],
  ['an image that is no square', 'image', edit(legacy, ['image', pngFile([64, 32], clear)])],
  ['two images for the legacy model', 'image', [...edit(legacy), ['image[]', pngFile()]]],
  ['seventeen images', 'image', edit(newer, ['image', pngFile()], ...many(16))],
  ['an image in words', 'image', edit(newer, ['image', 'a cat'])],
  ['a mask without an alpha channel', 'mask', edit(newer, ['mask', pngFile()])],
  ['a mask of another size', 'mask', edit(newer, ['mask', pngFile(32, clear)])],
  ['a JPEG as mask', 'mask', edit(newer, ['mask', jpegFile()])],
  ['a WebP as mask', 'mask', edit(legacy, ['mask', webpFile()])],
]

test.each(refused)('a client that sends %s is told which file', async (_, param, parts) => {
  await using stage = await imageStage()
  expect(await refusalIn(await stage.form(parts))).toMatchObject({ status: 400, param })
  expect(stage.sandbox.requests).toEqual([])
})

test('images are under 50 MB, and under 4 MB for the legacy model and as masks', async () => {
  await using stage = await imageStage()
  const large = await heavyPng(50 * MB)
  const heavy = await heavyPng(4 * MB, true)
  const light = await heavyPng(4 * MB - 1, true)
  expect((await stage.form(edit(newer, ['image', large]))).status).toBe(400)
  expect((await stage.form(edit(legacy, ['image', heavy]))).status).toBe(400)
  expect((await stage.form(edit(newer, ['mask', heavy]))).status).toBe(400)
  // Their bodies are too large to be shown where they differ.
  expect(stage.sandbox.requests.length).toBe(0)
  expect((await stage.form(edit(newer, ['image', heavy], ['mask', light]))).status).toBe(200)
  expect((await stage.form(edit(legacy, ['image', light]))).status).toBe(200)
})

test('sixteen images are taken, and a mask as large as the first', async () => {
  await using stage = await imageStage()
  const mask: Part = ['mask', pngFile(64, clear)]
  const parts: Part[] = [['prompt', 'x'], mask, ...many(15), ['image[]', webpFile()], newer]
  expect((await stage.form(parts)).status).toBe(200)
})

test('a palette with a transparent entry can be edited without a mask', async () => {
  await using stage = await imageStage()
  expect((await stage.form(edit(legacy, ['image', palettePng(true)]))).status).toBe(200)
})

test('an opaque image can be edited where a mask says what of it', async () => {
  await using stage = await imageStage()
  const parts = edit(legacy, ['image', pngFile()], ['mask', pngFile(64, clear)])
  expect((await stage.form(parts)).status).toBe(200)
})

test('a request without any image is refused', async () => {
  await using stage = await imageStage()
  const response = await stage.form([['prompt', 'x'], newer])
  expect(await refusalIn(response)).toMatchObject({ status: 400, param: 'image' })
})

test('the size of a photograph is found behind all that its camera has to say', async () => {
  const jpeg = Buffer.from(await jpegFile().arrayBuffer())
  const remark = Buffer.concat([Buffer.from([0xff, 0xe5, 0xea, 0x60]), Buffer.alloc(59_998)])
  const bytes = Buffer.concat([jpeg.subarray(0, 2), remark, remark, remark, jpeg.subarray(2)])
  const photograph: Part = ['image', new File([bytes], 'cat.jpg', { type: 'image/jpeg' })]
  await using account = await startFakeAccount(answerJson({ data: [{ b64_json: 'AAAA' }] }))
  await using stage = await imageStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  const fitting = await stage.form(edit(newer, photograph, ['mask', pngFile(64, clear)]))
  expect(fitting.status).toBe(200)
  const other = await stage.form(edit(newer, photograph, ['mask', pngFile(32, clear)]))
  expect(await refusalIn(other)).toMatchObject({ status: 400, param: 'mask' })
  expect(account.requests).toHaveLength(1)
})
