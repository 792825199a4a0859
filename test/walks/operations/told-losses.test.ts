import { describe, expect, test } from 'vitest'

import { fakeStage, ordered, takesOperations } from '../videos/fake.ts'
import { videoStage } from '../videos/stage.ts'
import { askOperation } from './stage.ts'

const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
const labels = { team: 'films' }
const webhookConfig = { uris: ['https://x.test/done'] }

describe('a client of operations on an account that speaks the Videos API', () => {
  test('is told of everything that the account is not asked for', async () => {
    await using stage = await videoStage()
    const instances = [{ prompt: 'a cat', referenceImages: [], mask: {} }]
    const body = { instances, labels, webhookConfig, somethingNew: 1, nothing: null }
    const created = await askOperation(stage, path, { body })
    expect(created.status).toBe(200)
    const losses = created.raw.headers.get('x-dragoman-losses') ?? ''
    expect(losses.split(/, ?/).toSorted()).toEqual([
      'instances[0].mask',
      'instances[0].referenceImages',
      'labels',
      'somethingNew',
      'webhookConfig',
    ])
  })

  test.each([{ labels }, { webhookConfig }, { somethingNew: 1 }])(
    'is refused %j where nothing may be lost',
    async (further) => {
      await using stage = await videoStage({ losses: 'reject' })
      const body = { instances: [{ prompt: 'a cat' }], ...further }
      const refused = await askOperation(stage, path, { body })
      expect([refused.status, refused.error?.message]).toEqual([
        400,
        expect.stringContaining(Object.keys(further)[0] ?? ''),
      ])
      expect(stage.sandbox.requests).toEqual([])
    },
  )

  test('is refused a second instance, whatever may be lost', async () => {
    await using stage = await videoStage()
    const body = { instances: [{ prompt: 'a cat' }, { prompt: 'a dog' }] }
    const refused = await askOperation(stage, path, { body })
    expect([refused.status, refused.error?.message]).toEqual([
      400,
      expect.stringContaining('instances'),
    ])
    expect(stage.sandbox.requests).toEqual([])
  })
})

test('an account that speaks operations gets all of it, as it came', async () => {
  await using stage = await fakeStage({ provider: 'gemini', answer: takesOperations(() => ({})) })
  const body = { instances: [{ prompt: 'a cat' }, { prompt: 'a dog' }], labels, webhookConfig }
  const created = await stage.ask(path, { method: 'POST', body: JSON.stringify(body) })
  expect([created.status, created.headers.get('x-dragoman-losses')]).toEqual([200, null])
  expect(ordered(stage)).toEqual(body)
})
