import { expect, test } from 'vitest'

import { pngFile } from '../../sandbox/pictures.ts'
import { imageStage, type ImageStage, type Part, refusalIn } from './stage.ts'

const cat = () => pngFile(64, { seeThrough: true })

const parts = (...more: readonly Part[]): Part[] => [['image', cat()], ['prompt', 'a hat'], ...more]

/** The model that the account was asked for, in a form or in JSON. */
function askedFor({ sandbox }: ImageStage): unknown {
  const { form, body } = sandbox.requests.at(-1) ?? {}
  const field = form?.fields.find(({ name }) => name === 'model')
  return field ? field.value : (JSON.parse(String(body)) as { model?: unknown }).model
}

test.each<Part>([
  ['size', '1536x1024'],
  ['size', '1024x1536'],
  ['size', 'auto'],
  ['quality', 'high'],
])('a client that names no model and asks for %s %s means the newer one', async (name, value) => {
  await using stage = await imageStage()
  expect((await stage.form(parts([name, value]))).status).toBe(200)
  expect(askedFor(stage)).toBe('gpt-image-1')
  const generated = await stage.json({ prompt: 'x', [name]: value }, '/v1/images/generations')
  expect(generated.status).toBe(200)
  expect(askedFor(stage)).toBe('gpt-image-1')
})

test('so does one that sends several images', async () => {
  await using stage = await imageStage()
  expect((await stage.form(parts(['image', cat()]))).status).toBe(200)
  expect(askedFor(stage)).toBe('gpt-image-1')
  const named: Part[] = [
    ['image.0', cat()],
    ['image.1', cat()],
    ['prompt', 'x'],
  ]
  expect((await stage.form(named)).status).toBe(200)
  expect(askedFor(stage)).toBe('gpt-image-1')
  const reference = { image_url: 'https://pictures.example/cat.png' }
  for (const name of ['image', 'images']) {
    const body = { prompt: 'x', [name]: [reference, reference] }
    expect((await stage.json(body)).status).toBe(200)
    expect(askedFor(stage)).toBe('gpt-image-1')
  }
})

test.each<Part>([
  ['size', '256x256'],
  ['size', '1024x1024'],
  ['quality', 'auto'],
  ['n', '2'],
])('what both or the legacy one alone can do (%s %s) means that', async (name, value) => {
  await using stage = await imageStage()
  expect((await stage.form(parts([name, value]))).status).toBe(200)
  expect(askedFor(stage)).toBe('dall-e-2')
})

test('a client that names the legacy model is held to its limits all the same', async () => {
  await using stage = await imageStage()
  const response = await stage.form(parts(['size', 'auto'], ['model', 'dall-e-2']))
  expect(await refusalIn(response)).toMatchObject({ status: 400, param: 'size' })
})
