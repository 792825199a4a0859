import { expect, test } from 'vitest'

import { lendingStage, picture } from './lent.ts'

const base64 = picture.toString('base64')
const generation = { model: 'dall-e-2', prompt: 'a cat' }

test('a client gets the image whose account writes base64 as a data URL', async () => {
  await using stage = await lendingStage({}, [{ b64_json: `data:image/png;base64,${base64}` }])
  const given = await fetch(await stage.lend())
  expect(given.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await given.arrayBuffer())).toEqual(picture)
})

test.each([
  ['base64 of what is no picture', Buffer.from('no image that anybody knows').toString('base64')],
  ['no base64 at all', '%%%'],
  ['a data URL of something else', 'data:text/plain;base64,aGVsbG8='],
])('%s stays as it was paid for, and the log says so', async (_, unclear) => {
  const data = [{ b64_json: unclear, seed: 7 }, { b64_json: base64 }]
  await using stage = await lendingStage({}, data)
  const made = await stage.openai.images.generate({ ...generation, n: 2 })
  const url = expect.stringContaining(stage.gateway.url) as string
  expect(made.data).toEqual([data[0], { url }])
  expect(stage.gateway.log).toMatchObject([
    { level: 'warn', msg: 'image conversion to `url` failed' },
  ])
})
