import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { openPlace } from '../cli/dragoman.ts'

function examine(imageModels: unknown) {
  return checkConfiguration({ imageModels }, { env: {} }).problems
}

test('the current image model is one name, and the example is one', () => {
  expect(examine({ current: 'gpt-image-2' })).toEqual([])
  for (const current of ['gpt-*', '*', '']) {
    expect(examine({ current })).toEqual([
      expect.objectContaining({
        path: 'imageModels.current',
        message: expect.stringContaining('the name of a model') as string,
        fix: expect.stringContaining('"gpt-image-1"') as string,
      }),
    ])
  }
})

test('legacy and later ones may be patterns', () => {
  expect(examine({ legacy: ['dall-e-*'], later: ['gpt-image-3*'] })).toEqual([])
})

test.each([
  ['by its name', { legacy: ['dall-e-2', 'my-model'], current: 'my-model' }],
  ['by a pattern', { legacy: ['my-*'], current: 'my-model' }],
  ['by what it is an alias of', { legacy: ['dall-e-2'], current: 'draw' }],
])('check warns of a current image model that is a legacy one %s', async (_, imageModels) => {
  await using place = await openPlace()
  const accounts = [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['*'] }]
  const keys = [{ id: 'team', secret: 'hush' }]
  const configuration = { keys, accounts, imageModels, aliases: { draw: 'dall-e-2' } }
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(0)
  expect(stderr).toContain(
    `Warning: imageModels.current: "${imageModels.current}" is among imageModels.legacy, so an edit ` +
      'without a model cannot use the features of newer models.\n',
  )
})
