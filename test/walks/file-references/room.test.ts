import { expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { startService } from '../../uploads/service.ts'
import { ask, dialects, pdf, upload } from './stage.ts'

const file = Buffer.concat([pdf, Buffer.alloc(1_000 - pdf.length)])

/** A gateway with an upload of 1000 bytes, whose account answers when it is told to. */
async function startRoom(limits: TestGatewayOptions['limits'], keys?: TestGatewayOptions['keys']) {
  await using starting = new AsyncDisposableStack()
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  const answer: Answer = async (response, request) => {
    await told
    await answerJson({ choices: [] })(response, request)
  }
  const account = starting.use(await startFakeAccount(answer))
  const provider = { provider: 'openai', speaks: ['chat'], baseUrl: `${account.url}/v1` }
  const service = starting.use(
    await startService({
      ...(limits && { limits }),
      ...(keys && { keys }),
      accounts: [{ ...provider, id: 'a', models: ['m', 'other'] }],
    }),
  )
  const path = await upload(service, 'it.pdf', file)
  const started = starting.move()
  return {
    service,
    account,
    tell,
    inlined: () => service.gateway.gateway.inlined(),
    ask: (model = 'm', times = 1, signal?: AbortSignal) => {
      const parts = Array.from({ length: times }, () => ({ type: 'file', file: { file_id: path } }))
      const body = { model, messages: [{ role: 'user', content: parts }] }
      return signal ? left(service.gateway.url, body, signal) : ask(service, dialects.chat, body)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** A client that may leave. */
function left(url: string, body: object, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
  const { path } = dialects.chat
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
}

test('uploads in bodies take what all requests share, until their exchanges have ended', async () => {
  await using room = await startRoom({ inlineBytes: 2_500 })
  const first = room.ask('m', 2)
  await until(() => room.account.requests.length === 1)
  expect(room.inlined()).toBe(2_000)
  const refused = await room.ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({
    error: { message: expect.stringMatching(/memory for uploads is full/) as string },
  })
  expect(room.account.requests).toHaveLength(1)
  room.tell()
  expect((await first).status).toBe(200)
  await until(() => room.inlined() === 0)
  expect((await room.ask()).status).toBe(200)
})

test('what can never have room is told so at once', async () => {
  await using room = await startRoom({ inlineBytes: 1_500 })
  const refused = await room.ask('m', 2)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([413, null])
  await until(() => room.inlined() === 0)
})

test('a client that leaves gives its room back', async () => {
  await using room = await startRoom({})
  const leaving = new AbortController()
  const asked = room.ask('m', 1, leaving.signal)
  await until(() => room.account.requests.length === 1)
  expect(room.inlined()).toBe(1_000)
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await until(() => room.inlined() === 0)
})

test('nothing is read for a model that nobody serves, or that the key may not use', async () => {
  const keys = [{ id: 'alice', secret: 'key-of-alice', models: ['m'] }]
  await using room = await startRoom({ inlineBytes: 1 }, keys)
  for (const model of ['nobody', 'other']) {
    const refused = await room.ask(model)
    expect([model, refused.status, await refused.text()]).toEqual([
      model,
      404,
      expect.stringContaining('does not exist or this key may not use it'),
    ])
  }
  expect((await room.ask('m')).status).toBe(413)
})
