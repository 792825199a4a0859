import { expect, test } from 'vitest'

import responseCache from '../../../plugins/response-cache/index.ts'
import { createTestGateway, startFakeAccount } from '../../../src/testing/index.ts'
import { until } from '../../../src/testing/until.ts'
import { type Scene, accountAt, askChat, reply, stage } from '../../third-party/chat.ts'

const zero = { fields: { temperature: 0 } }
const cacheOf = (response: Response) => response.headers.get('x-dragoman-cache')

/** Asks until the reply comes from the cache: it is written after the first one has been served. */
async function untilHit(
  gateway: Scene['gateway'],
  options: Parameters<typeof askChat>[1] = zero,
): Promise<Response> {
  let response: Response | undefined
  await until(async () => {
    response = await askChat(gateway, options)
    return cacheOf(response) === 'hit'
  })
  return response!
}

test('bytes that are no UTF-8 are replayed as they are', async () => {
  const sent = Buffer.from(JSON.stringify(reply).replace('hello', 'h\xff'), 'latin1')
  await using scene = await stage({ plugins: [responseCache()] }, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(sent)
  })
  const hit = await untilHit(scene.gateway)
  expect(Buffer.from(await hit.arrayBuffer())).toEqual(sent)
})

test.each([
  ['a header of its dialect', 'openai-beta'],
  ['a header that the account is configured to get', 'x-tenant'],
])('%s is a part of the question', async (_, name) => {
  await using account = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await using gateway = await createTestGateway({
    accounts: [accountAt('only', account.url, { forward: { headers: ['x-tenant'] } })],
    plugins: [responseCache()],
  })
  const from = (value: string) => ({ ...zero, headers: { [name]: value } })
  await untilHit(gateway, from('one'))
  const other = await askChat(gateway, from('two'))
  expect(cacheOf(other)).toBe('miss')
  expect(account.requests.at(-1)!.headers[name]).toBe('two')
  const same = { headers: { [name]: 'one', 'idempotency-key': 'other', 'user-agent': 'other' } }
  expect(cacheOf(await askChat(gateway, { ...zero, ...same }))).toBe('hit')
})

test('a chat completion that its provider stores is asked for again', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  const stored = { fields: { temperature: 0, store: true } }
  for (let call = 1; call < 4; call++) {
    expect(cacheOf(await askChat(scene.gateway, stored))).toBeNull()
    await scene.gateway.logged(call)
  }
  expect(scene.account.requests).toHaveLength(3)
})

test('a directive counts in all its spellings', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  await untilHit(scene.gateway)
  const fresh = { ...zero, headers: { 'cache-control': 'No-Cache' } }
  expect(cacheOf(await askChat(scene.gateway, fresh))).toBe('miss')
})

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
}

test('a replayed translation names what it has lost, and a key that accepts no losses does not get it', async () => {
  await using account = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message))
  })
  await using gateway = await createTestGateway({
    accounts: [
      { ...accountAt('claude', account.url), provider: 'anthropic', baseUrl: account.url },
    ],
    keys: [
      { id: 'lax', secret: 'secret-of-lax', losses: 'drop' },
      { id: 'strict', secret: 'secret-of-strict', losses: 'reject' },
    ],
    plugins: [responseCache({ share: 'all' })],
  })
  const fields = { temperature: 0, seed: 7 }
  const hit = await untilHit(gateway, { fields, key: 'secret-of-lax' })
  expect(hit.headers.get('x-dragoman-losses')).toBe('seed')
  const strict = await askChat(gateway, { fields, key: 'secret-of-strict' })
  expect(cacheOf(strict)).not.toBe('hit')
  expect(strict.status).toBe(400)
})

test.each([
  ['a message of a thread', { thread: { type: 'create' } }, message],
  ['a message to compare with', { diagnostics: { previous_message_id: null } }, message],
  ['a message with a container', {}, { ...message, container: { id: 'container_1' } }],
])('%s is the caller’s who named it, and no other’s', async (_, fields, answer) => {
  await using account = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await using gateway = await createTestGateway({
    accounts: [
      { ...accountAt('claude', account.url), provider: 'anthropic', baseUrl: account.url },
    ],
    plugins: [responseCache({ share: 'all' })],
  })
  const ask = async (members: object, stop: string) => {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({
        model: 'm',
        max_tokens: 9,
        temperature: 0,
        stop_sequences: [stop],
        messages: [{ role: 'user', content: 'hi' }],
        ...members,
      }),
    })
    expect(response.status).toBe(200)
    await response.text()
    return cacheOf(response)
  }
  await ask(fields, 'a')
  answer = message
  // What is kept is written in the order of the replies.
  await until(async () => (await ask({}, 'b')) === 'hit')
  expect(await ask(fields, 'a')).not.toBe('hit')
})

test('a record that is no reply is none', async () => {
  const records = new Map<string, unknown>()
  const plugin = responseCache()
  await using scene = await stage({
    plugins: [
      {
        ...plugin,
        onStart: (input) =>
          plugin.onStart?.({
            ...input,
            records: () =>
              ({
                get: async (id: string) => records.get(id),
                set: async (id: string, value: unknown) =>
                  void records.set(id, { ...(value as object), type: 'text/plain\r\nx-evil: 1' }),
              }) as never,
          }),
      },
    ],
  })
  for (let call = 1; call < 4; call++) {
    const response = await askChat(scene.gateway, zero)
    expect(cacheOf(response)).toBe('miss')
    expect(await response.json()).toEqual(reply)
    await scene.gateway.logged(call)
    await until(() => Promise.resolve(records.size === 1))
  }
})

test('the store keeps the newest replies, up to its limit', async () => {
  const megabyte = 1024 * 1024
  const long = { ...reply, padding: 'x'.repeat(400_000) }
  const plugins = [responseCache({ maxBytes: megabyte, maxStoredBytes: megabyte })]
  await using scene = await stage({ plugins }, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(long))
  })
  const question = (seed: number) => ({ fields: { temperature: 0, seed } })
  for (const seed of [1, 2, 3]) await untilHit(scene.gateway, question(seed))
  expect(cacheOf(await askChat(scene.gateway, question(3)))).toBe('hit')
  expect(cacheOf(await askChat(scene.gateway, question(2)))).toBe('hit')
  expect(cacheOf(await askChat(scene.gateway, question(1)))).toBe('miss')
})
