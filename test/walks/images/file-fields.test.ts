import { expect, test } from 'vitest'

import { imageStage, refusalIn } from './stage.ts'

const file = () => new File(['x'], 'a.png', { type: 'image/png' })

test.each([
  [['pic'], '`pic`'],
  [['image[x]'], '`image[x]`'],
  [['pic', 'picture', 'pic'], '`pic`, `picture`'],
])('a client whose files are called %j is told so', async (names, shown) => {
  await using stage = await imageStage()
  const files = names.map((name): [string, File] => [name, file()])
  const refused = await stage.form([['model', 'sandbox/echo'], ['prompt', 'a hat'], ...files])
  expect(await refusalIn(refused)).toEqual({
    status: 400,
    param: 'image',
    message: `\`image\` is required: the files of this form are named ${shown}.`,
  })
})

test('names that are long or many are told in part', async () => {
  await using stage = await imageStage()
  const names = ['x'.repeat(1_000), ...Array.from({ length: 50 }, (_, index) => `f${index}`)]
  const files = names.map((name): [string, File] => [name, file()])
  const refused = await refusalIn(await stage.form([['prompt', 'a hat'], ['model', 'm'], ...files]))
  expect(refused.message.length).toBeLessThan(300)
  expect(refused.message).toContain('`f0`')
})

test('a mask is no image, and a form without files has none to tell of', async () => {
  await using stage = await imageStage()
  const message = '`image` is required.'
  for (const parts of [[], [['mask', file()]]] satisfies [string, File][][]) {
    const refused = await stage.form([['model', 'sandbox/echo'], ['prompt', 'a hat'], ...parts])
    expect(await refusalIn(refused)).toMatchObject({ status: 400, param: 'image', message })
  }
})
