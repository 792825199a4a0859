import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { fakeStage } from '../videos/fake.ts'
import { post } from '../videos/stage.ts'

test.each([
  '../../v1/keys/operations/1',
  'models/m/operations/..',
  'models/m/operations/1?key=1',
  'models/m//operations/1',
  `models/m/operations/${'1'.repeat(2_000)}`,
])('an account that calls its operation %s has named none', async (name) => {
  await using stage = await fakeStage({ provider: 'gemini', answer: answerJson({ name }) })
  const order = { instances: [{ prompt: 'a cat' }] }
  const created = await stage.ask('/v1beta/models/m:predictLongRunning', post(order))
  expect([created.status, await created.json()]).toMatchObject([
    502,
    { error: { message: 'The upstream’s reply names no video.' } },
  ])
})
