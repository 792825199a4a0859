import type { Socket } from 'node:net'

import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { imageStage } from './stage.ts'
import { edit, newer } from './limits.ts'
import { post } from '../videos/stage.ts'

type Break = (socket: Socket) => void | Promise<void>

/** A gateway whose account answers one request of each connection, and does this at the next one. */
async function staleStage(breakOff: Break) {
  await using starting = new AsyncDisposableStack()
  const used = new Set<Socket>()
  const account = starting.use(
    await startFakeAccount((response, request) => {
      const { socket } = response
      if (!socket) return
      if (used.has(socket)) return breakOff(socket)
      used.add(socket)
      const image = { data: [{ b64_json: 'AAAA' }] }
      return answerJson({ created: 1, id: 'vid_1', status: 'queued', ...image })(response, request)
    }),
  )
  const baseUrl = `${account.url}/v1`
  const accounts = [
    { provider: 'openai-compatible', speaks: ['images', 'videos'], baseUrl, models: ['*'] },
  ]
  const stage = starting.use(await imageStage({ accounts }))
  const started = starting.move()
  return { ...stage, account, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

type Stage = Awaited<ReturnType<typeof staleStage>>

const reset: Break = (socket) => void socket.resetAndDestroy()
const close: Break = (socket) => void socket.destroy()

const calls: Record<string, (stage: Stage) => Promise<Response>> = {
  'an edit': (stage) => stage.form(edit(newer)),
  'a generation': (stage) =>
    stage.json({ prompt: 'x', model: 'gpt-image-1' }, '/v1/images/generations'),
}

test.each(Object.keys(calls))(
  '%s gets its image when its account just closes the connection that lay idle',
  async (name) => {
    for (const breakOff of [reset, close]) {
      await using stage = await staleStage(breakOff)
      for (const asked of [1, 3]) {
        const response = await calls[name]!(stage)
        expect([response.status, stage.account.requests.length]).toEqual([200, asked])
      }
    }
  },
)

test('an image is not ordered again that its account had time to begin with', async () => {
  await using stage = await staleStage(async (socket) => {
    const asked = performance.now()
    await until(() => performance.now() - asked > 1_500)
    socket.resetAndDestroy()
  })
  const call = calls['a generation']!
  expect((await call(stage)).status).toBe(200)
  const response = await call(stage)
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([502, 'false'])
  expect(stage.account.requests).toHaveLength(2)
})

test('nor is a video, which goes on at its account whatever became of the connection', async () => {
  await using stage = await staleStage(reset)
  const order = async () => {
    const { gateway } = stage
    const { headers, ...init } = post({ model: 'm', prompt: 'a cat' })
    const authorization = `Bearer ${gateway.key}`
    return fetch(`${gateway.url}/v1/videos`, {
      ...init,
      headers: { authorization, ...(headers as object) },
    })
  }
  expect((await order()).status).toBe(200)
  expect((await order()).status).toBe(502)
  expect(stage.account.requests).toHaveLength(2)
})
