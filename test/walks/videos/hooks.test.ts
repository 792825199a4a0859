import { expect, test } from 'vitest'

import { Declined } from '../../../src/contract/attempt.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { post, videoStage } from './stage.ts'

const completed = answerJson({ id: 'v', object: 'video', status: 'completed', progress: 100 })

/** A completed video of an account that sends its file as a test wants it. */
async function stageWith(onAttempt: NonNullable<GatewayPlugin['onAttempt']>, file: Answer) {
  await using starting = new AsyncDisposableStack()
  const account = starting.use(
    await startFakeAccount((response, request) =>
      (request.url.includes('/content') ? file : completed)(response, request),
    ),
  )
  const stage = starting.use(
    await videoStage({
      plugins: [definePlugin({ name: 'budget', onAttempt })],
      accounts: [{ id: 'a', speaks: ['videos'], baseUrl: account.url }],
    }),
  )
  const created = await stage.ask('/v1/videos', post({ model: 'camera', prompt: 'a' }))
  const { id } = (await created.json()) as { id: string }
  const started = starting.move()
  return {
    ...stage,
    account,
    path: `/v1/videos/${id}`,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

type Attempt = Parameters<NonNullable<GatewayPlugin['onAttempt']>>[0]

test('a plugin that stops waiting for a video has its account stop', async () => {
  const impatient = async ({ exchange, next }: Attempt) => {
    if (exchange.operation.id !== 'videos.content') return next()
    void next().catch(() => {})
    await until(() => isAsked)
    throw new Error('too slow')
  }
  let isAsked = false
  await using staged = await stageWith(impatient, () => void (isAsked = true))
  const { status } = await staged.ask(`${staged.path}/content`)
  expect(status).toBe(500)
  await until(() => staged.account.requests.at(-1)?.aborted === true)
  await until(() => staged.gateway.gateway.inflight() === 0)
})

test('a plugin that has a video and answers otherwise has its account stop', async () => {
  const cached = { status: 200, headers: {}, body: 'from a cache' }
  const caching = async ({ exchange, next }: Attempt) => {
    const reply = await next()
    return exchange.operation.id === 'videos.content' ? cached : reply
  }
  await using staged = await stageWith(caching, (response) => void response.write('the beginning'))
  expect(await (await staged.ask(`${staged.path}/content`)).text()).toBe('from a cache')
  await until(() => staged.account.requests.at(-1)?.aborted === true)
})

test('a client is told why a plugin has an account left alone', async () => {
  let isOver = false
  const thrifty = ({ next }: Attempt) => {
    if (isOver) throw new Declined('budget', 'it is over its budget')
    return next()
  }
  await using staged = await stageWith(thrifty, (response) => void response.end('the video'))
  isOver = true
  for (const asked of [
    staged.ask(`${staged.path}/content`),
    staged.ask(staged.path, { method: 'DELETE' }),
  ]) {
    const response = await asked
    expect([response.status, await response.json()]).toMatchObject([
      503,
      {
        error: {
          message: expect.stringContaining('it is over its budget'),
          details: [{ code: 'owner_unavailable' }],
        },
      },
    ])
  }
  const told = await staged.ask(staged.path)
  expect([told.status, await told.json()]).toMatchObject([200, { status: 'completed' }])
})
