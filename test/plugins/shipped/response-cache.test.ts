import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import responseCache from '../../../plugins/response-cache/index.ts'
import { until } from '../../../src/testing/until.ts'
import { answerChat, askChat, frames, reply, type Scene, stage } from '../../third-party/chat.ts'

const zero = { fields: { temperature: 0 } }
const zeroStreamed = {
  fields: { temperature: 0, stream: true, stream_options: { include_usage: true } },
}
const cacheOf = (response: Response) => response.headers.get('x-dragoman-cache')

/** Asks until the reply comes from the cache: it is written after the first one has been served. */
async function untilHit(scene: Scene, options: Parameters<typeof askChat>[1]): Promise<Response> {
  let response: Response | undefined
  await until(async () => {
    response = await askChat(scene.gateway, options)
    return cacheOf(response) === 'hit'
  })
  return response!
}

test('an equal request gets the same reply, and no account is asked', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  const first = await askChat(scene.gateway, zero)
  expect(cacheOf(first)).toBe('miss')
  expect(await first.json()).toEqual(reply)
  const again = await untilHit(scene, zero)
  expect(await again.json()).toEqual(reply)
  const asked = scene.account.requests.length
  const last = await askChat(scene.gateway, zero)
  expect(last.headers.get('age')).toMatch(/^\d+$/)
  expect(scene.account.requests).toHaveLength(asked)
  const lines = await scene.gateway.logged(3)
  expect(lines.at(-1)).toMatchObject({ plugins: { 'response-cache': { hit: true } } })
})

test('a stream is replayed, and its SDK reads it', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  await untilHit(scene, zeroStreamed)
  const asked = scene.account.requests.length
  const again = await askChat(scene.gateway, zeroStreamed)
  expect(await again.text()).toBe(frames.join(''))
  expect(again.headers.get('content-type')).toContain('text/event-stream')
  const client = new OpenAI({ baseURL: `${scene.gateway.url}/v1`, apiKey: scene.gateway.key })
  const ask = () =>
    client.chat.completions
      .stream({ model: 'm', temperature: 0, messages: [{ role: 'user', content: 'hello' }] })
      .finalContent()
  expect(await ask()).toBe('hello')
  expect(asked).toBeGreaterThan(0)
})

test.each([
  ['another temperature', { fields: { temperature: 0.1 } }],
  ['no temperature', {}],
])('%s gets a reply of its own', async (_, options) => {
  await using scene = await stage({ plugins: [responseCache()] })
  for (let call = 0; call < 3; call++) {
    expect(cacheOf(await askChat(scene.gateway, options))).toBeNull()
  }
  expect(scene.account.requests).toHaveLength(3)
})

test('a client can ask for a new reply', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  await untilHit(scene, zero)
  const fresh = await askChat(scene.gateway, { ...zero, headers: { 'cache-control': 'no-cache' } })
  expect(cacheOf(fresh)).toBe('miss')
})

test('no key gets what another one has asked for, unless they share', async () => {
  const keys = [
    { id: 'one', secret: 'secret-of-one' },
    { id: 'two', secret: 'secret-of-two' },
  ]
  await using apart = await stage({ plugins: [responseCache()], keys })
  await untilHit(apart, { ...zero, key: 'secret-of-one' })
  expect(cacheOf(await askChat(apart.gateway, { ...zero, key: 'secret-of-two' }))).toBe('miss')

  await using shared = await stage({ plugins: [responseCache({ share: 'all' })], keys })
  await untilHit(shared, { ...zero, key: 'secret-of-one' })
  expect(cacheOf(await askChat(shared.gateway, { ...zero, key: 'secret-of-two' }))).toBe('hit')
})

test.each([
  ['an error', 500, []],
  ['a stream that breaks', 200, frames.slice(0, 2)],
] as const)('%s is not kept', async (_, status, sent) => {
  let calls = 0
  await using scene = await stage({ plugins: [responseCache()] }, (response, request) => {
    if (++calls > 1) return answerChat(response, request)
    response.writeHead(status, { 'content-type': 'text/event-stream' })
    response.end(sent.join(''))
  })
  const broken = await askChat(scene.gateway, zeroStreamed)
  await broken.text().catch(() => '')
  await scene.gateway.logged(1)
  const next = await askChat(scene.gateway, zeroStreamed)
  expect(cacheOf(next)).not.toBe('hit')
})

test('a reply that is too long is not kept', async () => {
  const long = { ...reply, padding: 'x'.repeat(4_000) }
  await using scene = await stage({ plugins: [responseCache({ maxBytes: 1_024 })] }, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(long))
  })
  for (let call = 0; call < 3; call++) {
    const response = await askChat(scene.gateway, zero)
    expect(cacheOf(response)).toBe('miss')
    expect(await response.json()).toEqual(long)
    await scene.gateway.logged(call + 1)
  }
})

test('a reply from before a rule of the guardrail is looked at by the rule', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cache-'))
  await using cleanUp = new AsyncDisposableStack()
  cleanUp.defer(() => rm(directory, { recursive: true }))
  const store = `file:${directory}`
  const cache = { use: 'dragoman/plugins/response-cache' }
  const guardrail = (pattern: string) => ({
    use: 'dragoman/plugins/guardrail',
    options: { rules: [{ name: 'words', pattern, action: 'refuse', in: ['reply'] }] },
  })
  const lax = { store, plugins: [cache, guardrail('goodbye')] }
  {
    await using scene = await stage(lax)
    await untilHit(scene, zero)
  }
  {
    await using scene = await stage({ store, plugins: [cache, guardrail('hello')] })
    expect((await askChat(scene.gateway, zero)).status).toBe(422)
  }
  await using scene = await stage(lax)
  expect(cacheOf(await askChat(scene.gateway, zero))).toBe('hit')
})
