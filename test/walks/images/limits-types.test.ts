import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { pngFile } from '../../sandbox/pictures.ts'
import { edit, legacy, newer } from './limits.ts'
import { imageStage, refusalIn } from './stage.ts'

const generations = '/v1/images/generations'

test.each(['size', 'quality', 'user'])(
  'a client that generates with a number as %s is told',
  async (name) => {
    await using stage = await imageStage()
    const body = { model: 'gpt-image-1', prompt: 'a cat', [name]: 7 }
    const refusal = await refusalIn(await stage.json(body, generations))
    expect(refusal).toMatchObject({ status: 400, param: name })
    expect(refusal.message).toContain('string')
    expect(stage.sandbox.requests).toEqual([])
  },
)

test.each([
  ['size', '1792x1024'],
  ['quality', 'hd'],
])('the legacy model generates no %s %s', async (name, value) => {
  await using stage = await imageStage()
  const asked = { prompt: 'a cat', [name]: value }
  const refused = await stage.json({ ...asked, model: 'dall-e-2' }, generations)
  expect(await refusalIn(refused)).toMatchObject({ status: 400, param: name })
  expect(stage.sandbox.requests).toEqual([])
  expect((await stage.json({ ...asked, model: 'dall-e-3' }, generations)).status).toBe(200)
})

test('a prompt of as many cats as there may be characters is taken', async () => {
  await using account = await startFakeAccount(answerJson({ data: [{ b64_json: 'AAAA' }] }))
  await using stage = await imageStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  const cats = '🐈'.repeat(32_000)
  expect((await stage.form(edit(newer, ['prompt', cats]))).status).toBe(200)
  expect((await stage.form(edit(newer, ['prompt', `${cats}🐈`]))).status).toBe(400)
})

test('a client that sends a field of an edit as a file is told', async () => {
  await using stage = await imageStage()
  const prompt = new File(['a hat'], 'prompt.txt')
  const refused = await stage.form(edit(newer, ['prompt', prompt]))
  expect(await refusalIn(refused)).toMatchObject({
    status: 400,
    param: 'prompt',
    message: 'The part `prompt` must be a text, not a file.',
  })
})

test('a client that sends two masks is told, whichever an account would take', async () => {
  await using stage = await imageStage()
  const mask = pngFile(64, { seeThrough: true })
  for (const model of [legacy, newer]) {
    const refused = await stage.form(edit(model, ['mask', mask], ['mask', mask]))
    expect(await refusalIn(refused)).toMatchObject({ status: 400, param: 'mask' })
  }
  expect(stage.sandbox.requests).toEqual([])
})
