import { expect, test } from 'vitest'

import { dataUrl, jpegFile, pngFile } from '../../sandbox/pictures.ts'
import { imageStage, refusalIn } from './stage.ts'

const model = 'gpt-image-1'
const prompt = 'a hat on the cat'
const url = 'https://pictures.example/cat.png'

test('a JSON edit as accounts want it reaches them byte for byte', async () => {
  await using stage = await imageStage()
  const image = { image_url: await dataUrl(pngFile()) }
  const images = [{ image_url: url }, { file_id: 'file-1' }, image]
  const body = { images, prompt, model, user: 'somebody', n: 1 }
  expect((await stage.json(body)).status).toBe(200)
  expect(stage.sandbox.requests[0]?.body.toString()).toBe(JSON.stringify(body))
})

test.each(['image', 'images'])('pictures of `%s` may be no more than URLs', async (field) => {
  await using stage = await imageStage()
  const picture = await dataUrl(pngFile())
  expect((await stage.json({ [field]: [url, picture], prompt, model })).status).toBe(200)
  expect((await stage.json({ [field]: url, prompt, model })).status).toBe(200)
  const [first, second] = stage.sandbox.requests.map(
    ({ body }) => JSON.parse(body.toString()) as object,
  )
  expect(first).toEqual({
    prompt,
    model,
    images: [{ image_url: url }, { image_url: picture }],
  })
  expect(second).toEqual({ prompt, model, images: [{ image_url: url }] })
})

test('a data URL that is said to be another type is told as what it is', async () => {
  await using stage = await imageStage()
  const picture = await dataUrl(jpegFile())
  const image_url = picture.replace('image/jpeg', 'image/png')
  expect((await stage.json({ images: [{ image_url }], prompt, model })).status).toBe(200)
  expect(JSON.parse(stage.sandbox.requests[0]?.body.toString() ?? '')).toMatchObject({
    images: [{ image_url: picture }],
  })
})

test('pictures in JSON have the limits of files', async () => {
  await using stage = await imageStage()
  const image_url = await dataUrl(pngFile(64))
  const images = [{ image_url }]
  const narrow = await dataUrl(pngFile([64, 32], { seeThrough: true }))
  const refused: [param: string, body: object][] = [
    ['mask', { model, images, mask: { image_url: narrow } }],
    ['mask', { model, images, mask: { image_url } }],
    ['images[0]', { model, images: [{ image_url: 'data:image/png;base64,AAAA' }] }],
    ['images[0]', { model, images: [{ image_url, file_id: 'file-1' }] }],
    ['images[0]', { model: 'dall-e-2', images }],
    ['image', { model, images: Array.from({ length: 17 }, () => ({ image_url: url })) }],
    ['image', { model }],
    ['images', { model, images, image: url }],
  ]
  for (const [param, body] of refused) {
    const refusal = await refusalIn(await stage.json({ prompt, ...body }))
    expect(refusal).toMatchObject({ status: 400, param })
  }
  expect(stage.sandbox.requests).toEqual([])
})
