import { expect, test } from 'vitest'

import { edit, newer } from './limits.ts'
import { imageStage, type Part, refusalIn } from './stage.ts'

/** What concerns several fields; the tables of `test/contract/media` have the limits of each. */
const refused: [what: string, model: Part, field: Part, ...more: Part[]][] = [
  ['a prompt of 32001 characters', newer, ['prompt', '🐈'.repeat(32_001)]],
  ['a transparent JPEG', newer, ['background', 'transparent'], ['output_format', 'jpeg']],
  ['a compressed PNG', newer, ['output_compression', '50']],
  ['a model without a name', ['model', ''], ['user', 'somebody']],
]

test.each(refused)('a client that asks for %s of %s is told which field', async (...row) => {
  const [, model, field, ...more] = row
  await using stage = await imageStage()
  const refusal = await refusalIn(await stage.form(edit(model, field, ...more)))
  expect(refusal).toMatchObject({ status: 400, param: model[1] === '' ? 'model' : field[0] })
  expect(stage.sandbox.requests).toEqual([])
})

const taken: [what: string, model: Part, ...fields: Part[]][] = [
  ['a transparent WebP', newer, ['background', 'transparent'], ['output_format', 'webp']],
  ['half the bytes', newer, ['output_compression', '50'], ['output_format', 'jpeg']],
]

test.each(taken)('a client that asks for %s of %s is served', async (_, model, ...fields) => {
  await using stage = await imageStage()
  expect((await stage.form(edit(model, ...fields))).status).toBe(200)
})

test('a client that says a field twice is told so', async () => {
  await using stage = await imageStage()
  const parts: Part[] = [...edit(newer, ['size', '1024x1024']), ['size', 'auto']]
  expect(await refusalIn(await stage.form(parts))).toMatchObject({ status: 400, param: 'size' })
  expect(stage.sandbox.requests).toEqual([])
})

test('a later model takes sizes and qualities of its own', async () => {
  await using stage = await imageStage()
  const later = edit(['model', 'gpt-image-2'], ['size', '640x480'], ['quality', 'xhigh'])
  expect((await stage.form(later)).status).toBe(200)
})

test('the legacy model knows less in JSON and in generations too', async () => {
  await using stage = await imageStage()
  const body = { prompt: 'a cat', model: 'dall-e-2', background: 'opaque' }
  const refusals = [
    await stage.json(body, '/v1/images/generations'),
    await stage.json({ ...body, images: [{ image_url: 'https://pictures.example/cat.png' }] }),
  ]
  for (const response of refusals) {
    expect(await refusalIn(response)).toMatchObject({ status: 400, param: 'background' })
  }
})
