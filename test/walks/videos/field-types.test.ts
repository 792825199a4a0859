import { expect, test } from 'vitest'

import { fakeStage, ordered, takesOperations, takesVideos } from './fake.ts'
import { post } from './stage.ts'
import { dataUrl, pngFile } from '../../sandbox/pictures.ts'

test('an account reads a number of seconds as the text that it expects', async () => {
  await using stage = await fakeStage({ answer: takesVideos(() => ({})) })
  const body = '{"model":"m", "seconds": 8, "prompt":"a cat"}'
  const headers = { 'content-type': 'application/json' }
  const created = await stage.ask('/v1/videos', { method: 'POST', headers, body })
  expect(created.status).toBe(200)
  expect(ordered(stage)).toEqual({ model: 'm', seconds: '8', prompt: 'a cat' })
})

test('what a reference says besides, and another account does not read, is named as lost', async () => {
  await using stage = await fakeStage({ provider: 'gemini', answer: takesOperations(() => ({})) })
  const input_reference = { image_url: await dataUrl(pngFile()), file_id: null, crop: 'center' }
  const order = post({ model: 'm', prompt: 'a cat', style: null, input_reference })
  const created = await stage.ask('/v1/videos', order)
  expect([created.status, created.headers.get('x-dragoman-losses')]).toEqual([
    200,
    expect.stringContaining('input_reference.crop'),
  ])
  expect(created.headers.get('x-dragoman-losses')).not.toMatch(/style|file_id/)
})

test('a picture that a client writes as inline data is the picture of the video', async () => {
  const data = (await dataUrl(pngFile())).replace(/^.*,/, '')
  const image = { inlineData: { data, mimeType: 'image/png' } }
  await using stage = await fakeStage({ answer: takesVideos(() => ({})) })
  const order = post({ instances: [{ prompt: 'a cat', image }] })
  const created = await stage.ask('/v1beta/models/m:predictLongRunning', order)
  expect(created.status).toBe(200)
  const sent = stage.account.requests[0]?.body
  expect(sent?.includes(Buffer.from(data, 'base64'))).toBe(true)
})

test('a video of a picture alone is ordered where a prompt may be absent, and nowhere else', async () => {
  const image = { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }
  for (const [provider, status] of [
    ['gemini', 200],
    ['openai', 400],
  ] as const) {
    const answer = provider === 'gemini' ? takesOperations(() => ({})) : takesVideos(() => ({}))
    await using stage = await fakeStage({ provider, answer })
    const created = await stage.ask(
      '/v1beta/models/m:predictLongRunning',
      post({ instances: [{ image }] }),
    )
    expect([provider, created.status]).toEqual([provider, status])
    expect(stage.account.requests).toHaveLength(status === 200 ? 1 : 0)
    if (status === 400) expect(await created.text()).toContain('instances[0].prompt')
  }
})
