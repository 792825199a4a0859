import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { costStage } from './costs.ts'

test('what is counted beside tokens is in the metrics by its unit', async () => {
  await using sandbox = await startSandbox()
  await using costs = await costStage({
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['tts-1', 'dall-e-2'],
      },
    ],
  })
  const { stage } = costs
  const speech = { model: 'tts-1', input: 'Grüße', voice: 'alloy' }
  expect(await stage.call('/v1/audio/speech', speech)).toBe(200)
  const drawing = { model: 'dall-e-2', prompt: 'x', n: 2 }
  expect(await stage.call('/v1/images/generations', drawing)).toBe(200)
  await costs.lookups(2)
  expect(await costs.units()).toEqual({
    'sandbox tts-1 character': 5,
    'sandbox dall-e-2 image': 2,
  })
})
