import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { accountSecret, type FakeStage, fakeStage, takesOperations, takesVideos } from './fake.ts'
import { post } from './stage.ts'

const leaky = { debug: { authorization: `Bearer ${accountSecret}`, [accountSecret]: [1] } }

test('an account that tells its own secret tells it to no client of the Videos API', async () => {
  await using stage = await fakeStage({
    answer: takesVideos(() => ({
      ...leaky,
      status: 'failed',
      error: { code: accountSecret, type: accountSecret, message: `${accountSecret} is too poor` },
    })),
  })
  const { id } = await created(stage)
  for (const path of [`/v1/videos/${id}`, '/v1/videos', operationOf(id)]) {
    const answer = await (await stage.ask(path)).text()
    expect(answer).not.toContain(accountSecret)
    expect(answer).toContain('[secret] is too poor')
  }
  expect(await (await stage.ask(`/v1/videos/${id}`)).json()).toMatchObject({
    debug: { authorization: 'Bearer [secret]', '[secret]': [1] },
    error: { code: '[secret]', type: '[secret]' },
  })
})

test('an account that tells where it is tells it to no client of operations', async () => {
  await using stage = await fakeStage({
    provider: 'gemini',
    answer: takesOperations(({ headers: { host } }) => ({
      metadata: { at: `http://${host}/queue` },
      done: true,
      response: {
        ...leaky,
        generateVideoResponse: {
          raiMediaFilteredCount: 1,
          raiMediaFilteredReasons: [`asked by ${accountSecret} at ${host}`],
          generatedSamples: [{ video: { uri: `http://${host}/v1beta/files/abc` } }],
        },
      },
    })),
  })
  const { id } = await created(stage)
  const answer = await (await stage.ask(operationOf(id))).text()
  expect(answer).not.toContain(accountSecret)
  expect(answer).not.toContain(new URL(stage.account.url).host)
  expect(answer).toContain('asked by [secret] at [upstream]')
  await stage.ask(`/v1/videos/${id}/content`)
  expect(stage.account.requests.at(-1)?.url).toBe('/v1beta/files/abc:download?alt=media')
})

test('an account that talks without end is cut short', async () => {
  const endless = 'a'.repeat(1_000_000)
  await using stage = await fakeStage({
    answer: takesVideos(() => ({
      status: 'failed',
      seconds: endless,
      size: endless,
      error: { code: endless, type: endless, message: endless },
    })),
  })
  const { id } = await created(stage)
  for (const path of [`/v1/videos/${id}`, operationOf(id)]) {
    expect((await (await stage.ask(path)).text()).length).toBeLessThan(20_000)
  }
})

test('an account that refuses an order at length is cut short at once', async () => {
  const error = { code: 'c', message: 'a'.repeat(1_000_000) }
  await using stage = await fakeStage({ answer: answerJson({ id: 'v', status: 'failed', error }) })
  const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  expect((await created.text()).length).toBeLessThan(20_000)
})

test('an account that gives endless reasons, places and types is cut short', async () => {
  const endless = 'a'.repeat(500_000)
  const video = { uri: `https://x.test/${endless}`, encoding: `video/${endless}` }
  await using stage = await fakeStage({
    provider: 'gemini',
    answer: takesOperations(() => ({
      done: true,
      response: {
        generateVideoResponse: {
          generatedSamples: [{ video }],
          raiMediaFilteredReasons: Array.from({ length: 1_000 }, () => endless.slice(0, 5_000)),
        },
      },
    })),
  })
  const { id } = await created(stage)
  const answer = await (await stage.ask(operationOf(id))).text()
  expect(answer.length).toBeLessThan(50_000)
  expect(JSON.parse(answer)).toMatchObject({
    response: { generatedVideos: [{ mimeType: 'video/mp4' }] },
  })
  expect((await stage.ask(`/v1/videos/${id}/content`)).status).toBe(502)
})

async function created({ ask }: FakeStage): Promise<{ id: string }> {
  const answer = await ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  return (await answer.json()) as { id: string }
}

function operationOf(id: string): string {
  return `/v1beta/operations/${id.replace('video_', '')}`
}
