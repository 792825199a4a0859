import { expect, test } from 'vitest'

import { type FakeStage, fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

const completes = takesVideos(() => ({ status: 'completed', progress: 100 }))

test.each([
  ['means another model by now', { film: 'lens' }],
  ['is gone', {}],
])(
  'a video is remixed by its own model, also when the name it was ordered by %s',
  async (_, aliases) => {
    await using stage = await fakeStage({
      models: ['camera', 'lens'],
      aliases: { film: 'camera' },
      answer: completes,
    })
    const source = await ordered(stage, { model: 'film', prompt: 'a cat' })
    stage.gateway.reload({ accounts: accountsOf(stage), aliases })
    for (const model of [undefined, 'camera', 'film']) {
      const remix = await stage.ask(`/v1/videos/${source}/remix`, post({ model, prompt: 'a dog' }))
      expect([remix.status, await remix.json()]).toMatchObject([200, { model: 'camera' }])
    }
    const other = await stage.ask(
      `/v1/videos/${source}/remix`,
      post({ model: 'lens', prompt: 'a dog' }),
    )
    expect(other.status).toBe(400)
  },
)

test('a key that may use the alias alone remixes what it made by it', async () => {
  await using stage = await fakeStage({
    models: ['camera', 'lens'],
    aliases: { film: 'camera', lens2: 'lens' },
    keys: [{ id: 'test', secret: 'test-secret', models: ['film'] }],
    answer: completes,
  })
  const source = await ordered(stage, { model: 'film', prompt: 'a cat' })
  const remix = () => stage.ask(`/v1/videos/${source}/remix`, post({ prompt: 'a dog' }))
  expect((await remix()).status).toBe(200)
  stage.gateway.reload({ accounts: accountsOf(stage), aliases: { film: 'lens' } })
  const asked = stage.account.requests.length
  expect((await remix()).status).toBe(404)
  expect(stage.account.requests).toHaveLength(asked)
})

async function ordered(stage: FakeStage, body: object): Promise<string> {
  const created = await stage.ask('/v1/videos', post(body))
  return ((await created.json()) as { id: string }).id
}

function accountsOf({ account }: FakeStage) {
  const baseUrl = `${account.url}/v1`
  const models = ['camera', 'lens']
  return [{ id: 'a', provider: 'openai', baseUrl, apiKey: 'k', models, speaks: ['videos'] }]
}
