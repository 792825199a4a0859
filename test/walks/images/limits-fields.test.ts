import { expect, test } from 'vitest'

import { edit, legacy, newer } from './limits.ts'
import { imageStage, type Part, refusalIn } from './stage.ts'

const refused: [what: string, model: Part, field: Part, ...more: Part[]][] = [
  ['no prompt', newer, ['prompt', ' ']],
  ['a prompt of 1001 characters', legacy, ['prompt', 'é'.repeat(1_001)]],
  ['a prompt of 32001 characters', newer, ['prompt', '🐈'.repeat(32_001)]],
  ['another background', newer, ['background', 'blue']],
  ['a background', legacy, ['background', 'auto']],
  ['a transparent JPEG', newer, ['background', 'transparent'], ['output_format', 'jpeg']],
  ['no image at all', newer, ['n', '0']],
  ['eleven images', newer, ['n', '11']],
  ['half an image', legacy, ['n', '1.5']],
  ['another output format', newer, ['output_format', 'gif']],
  ['an output format', legacy, ['output_format', 'png']],
  ['another quality', newer, ['quality', 'standard']],
  ['a quality of newer ones', legacy, ['quality', 'high']],
  ['a size of legacy ones', newer, ['size', '512x512']],
  ['a size of newer ones', legacy, ['size', '1536x1024']],
  ['a stream', legacy, ['stream', 'true']],
  ['a stream of sorts', newer, ['stream', 'yes']],
  ['another fidelity', newer, ['input_fidelity', 'medium']],
  ['a fidelity', legacy, ['input_fidelity', 'high']],
  ['too much compression', newer, ['output_compression', '101'], ['output_format', 'webp']],
  ['a compressed PNG', newer, ['output_compression', '50']],
  ['compression', legacy, ['output_compression', '100']],
  ['four partial images', newer, ['partial_images', '4'], ['stream', 'true']],
  ['partial images', legacy, ['partial_images', '0']],
  ['another response format', legacy, ['response_format', 'png']],
  ['a response format', newer, ['response_format', 'b64_json']],
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
  ['a prompt of 1000 characters', legacy, ['prompt', 'é'.repeat(1_000)]],
  ['a prompt of 32000 characters', newer, ['prompt', 'é'.repeat(32_000)]],
  ['a transparent WebP', newer, ['background', 'transparent'], ['output_format', 'webp']],
  ['ten images', legacy, ['n', '10'], ['size', '256x256']],
  ['high quality', newer, ['quality', 'high'], ['size', '1024x1536']],
  ['standard quality', legacy, ['quality', 'standard'], ['response_format', 'b64_json']],
  ['half the bytes', newer, ['output_compression', '50'], ['output_format', 'jpeg']],
  ['a faithful picture', newer, ['input_fidelity', 'high'], ['user', 'somebody']],
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
