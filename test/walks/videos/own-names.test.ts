import { expect, test } from 'vitest'

import { finished, videoStage } from './stage.ts'

test.each([[['videos']], [['video-operations']]])(
  'a file is named after the gateway’s id, whatever its account calls it: %j',
  async (speaks) => {
    await using stage = await videoStage({ accounts: [{ id: 'a', speaks }] })
    const { id } = await stage.openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
    await finished(stage.openai, id)
    const { headers } = await stage.openai.videos.downloadContent(id)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.mp4"`)
  },
)

test('a key that knows a model by its alias alone is told the alias', async () => {
  await using stage = await videoStage({
    keys: [{ id: 'test', secret: 'test-secret', models: ['film'] }],
    aliases: { film: 'sandbox/polls=0' },
  })
  const { videos } = stage.openai
  const created = await videos.create({ model: 'film', prompt: 'a' })
  expect(created.model).toBe('film')
  expect((await finished(stage.openai, created.id)).model).toBe('film')
  expect((await videos.list()).data.map(({ model }) => model)).toEqual(['film'])
  expect((await videos.remix(created.id, { prompt: 'b' })).model).toBe('film')
  const other = videos.remix(created.id, { prompt: 'b', model: 'x' } as { prompt: string })
  await expect(other).rejects.toMatchObject({
    status: 400,
    message: expect.not.stringContaining('sandbox') as string,
  })
})
