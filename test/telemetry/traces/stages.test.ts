import { describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { serverOf, tracedStage } from './stage.ts'
import { spanOf, treeOf } from './whole.ts'

const chat = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }
const completed = {
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output: [],
}
const response = { model: 'sandbox/echo', input: 'hi' }

test('the span of an exchange says how long its body took to read and to check', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask('/v1/chat/completions', chat)
  await reply.text()
  const server = serverOf(await stage.traceOf(reply))
  const took = server.attributes['dragoman.decode.ms']
  expect(took).toBeGreaterThan(0)
  expect(took).toBeLessThan(server.end - server.start)
})

test('a call that is refused before its check has no such time', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask('/v1/chat/completions', { model: 7 })
  expect(reply.status).toBe(400)
  const { attributes } = serverOf(await stage.traceOf(reply))
  expect(attributes).not.toHaveProperty('dragoman.decode.ms')
})

test('the span of an attempt says which address its connection has led to, also one that is used again', async () => {
  await using stage = await tracedStage()
  const first = await stage.ask('/v1/chat/completions', chat)
  await first.text()
  const second = await stage.ask('/v1/chat/completions', chat)
  await second.text()
  for (const reply of [first, second]) {
    const spans = await stage.traceOf(reply)
    const { attributes } = spans.find(({ name }) => name === 'POST')!
    expect(attributes).toMatchObject({
      'network.peer.address': '127.0.0.1',
      'network.peer.port': attributes['server.port'],
    })
  }
})

test('an attempt without a connection has no peer', async () => {
  await using stage = await tracedStage({ accounts: [{ baseUrl: 'http://127.0.0.1:9' }] })
  const reply = await stage.ask('/v1/chat/completions', chat)
  await reply.text()
  const spans = await stage.traceOf(reply)
  const attempts = spans.filter(({ name }) => name === 'POST')
  expect(attempts.length).toBeGreaterThan(0)
  for (const { attributes } of attempts) expect(attributes).not.toHaveProperty('network.peer.port')
})

test('the span of the choice names the pool, and says that a call without a reference looked for no binding', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask('/v1/chat/completions', chat)
  await reply.text()
  expect(spanOf(await stage.traceOf(reply), 'dragoman.route').attributes).toMatchObject({
    'dragoman.pool': 'sandbox/echo',
    'dragoman.binding.result': 'none',
  })
})

describe('the span of records', () => {
  test('names the response, and says that its binding is written, and for how long', async () => {
    await using stage = await tracedStage()
    const reply = await stage.ask('/v1/responses', response)
    const { id } = (await reply.json()) as { id: string }
    const { attributes, status } = spanOf(await stage.traceOf(reply), 'dragoman.record')
    expect(attributes).toEqual({
      'gen_ai.response.id': id,
      'dragoman.binding.written': true,
      'dragoman.binding.ttl': 30 * 24 * 3_600,
    })
    expect(status).toBe('unset')
  })

  test('has an id as short as other names, without what an account must not repeat', async () => {
    const secret = 'account-canary-77f1'
    await using account = await startFakeAccount(
      answerJson({ ...completed, id: `resp_${secret}${'x'.repeat(300)}` }),
    )
    await using stage = await tracedStage({
      accounts: [
        { provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: secret, models: ['*'] },
      ],
    })
    const reply = await stage.ask('/v1/responses', response)
    expect(reply.status).toBe(200)
    await reply.text()
    const { attributes } = spanOf(await stage.traceOf(reply), 'dragoman.record')
    expect(attributes['gen_ai.response.id']).toBe(`resp_[secret]${'x'.repeat(243)}...`)
  })

  test('says that a binding waits for the store to come back', async () => {
    const store = breakable(openMemoryStore())
    await using stage = await tracedStage({ store })
    store.broken.writes = true
    const reply = await stage.ask('/v1/responses', response)
    expect(reply.status).toBe(200)
    await reply.text()
    store.broken.writes = false
    const { attributes, status } = spanOf(await stage.traceOf(reply), 'dragoman.record')
    expect(attributes).toMatchObject({ 'dragoman.binding.written': false })
    expect(status).toBe('error')
  })
})

test('a job that is unknown says so at the span of its route', async () => {
  await using stage = await tracedStage({ accounts: [{ speaks: ['videos'] }] })
  const reply = await stage.ask('/v1/videos/video_0')
  expect(reply.status).toBe(404)
  await reply.text()
  const route = spanOf(await stage.traceOf(reply), 'dragoman.route')
  expect(route.attributes).toMatchObject({ 'dragoman.binding.result': 'not_found' })
})

test('a download that its account fails has no failed route', async () => {
  const video = { id: 'video_1', object: 'video', created_at: 1, status: 'queued', model: 'm' }
  await using account = await startFakeAccount((response, { method }) => {
    response.writeHead(method === 'POST' ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(method === 'POST' ? video : { error: { message: 'x' } }))
  })
  const films = { provider: 'openai', baseUrl: `${account.url}/v1`, speaks: ['videos'] }
  await using stage = await tracedStage({ accounts: [films] })
  const made = await stage.ask('/v1/videos', { model: 'm', prompt: 'x' })
  const { id } = (await made.json()) as { id: string }
  const content = await stage.ask(`/v1/videos/${id}/content`)
  expect(content.ok).toBe(false)
  await content.text()
  const spans = await stage.traceOf(content)
  expect(spans.map(({ name }) => name)).toContain('GET')
  expect(treeOf(spans)).not.toContain('  dragoman.route')
})
