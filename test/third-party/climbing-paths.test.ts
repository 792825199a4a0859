import { expect, test } from 'vitest'

import {
  defineDialect,
  defineOperation,
  definePlugin,
  errorEnvelope,
} from '../../src/dialect-kit/index.ts'
import { bearer, firstCredential } from '../../src/dialect-kit/index.ts'
import { answerJson, createTestGateway, startFakeAccount } from '../../src/testing/index.ts'

/** A careless dialect: it writes what a client names into the path as it is. */
const careless = defineDialect({
  id: 'careless',
  credential: (request) => firstCredential(request, [bearer]),
  error: errorEnvelope,
  upstream: { base: 'bare', providers: { careless: {} }, headers: () => ({}) },
  operations: [
    defineOperation({
      id: 'careless.find',
      method: 'POST',
      paths: ['/careless'],
      auth: 'key',
      capability: 'find',
      summary: 'Find a thing',
      understand: () => ({ model: 'm', stream: false, refersTo: [], edits: [], losses: [] }),
      forward: {
        target: ({ body }) => ({ path: `/things/${String(body.json['thing'])}/text` }),
        observer: () => {
          throw new Error('There is no stream.')
        },
        outcome: () => ({ status: 'completed', fault: 'none' }),
      },
    }),
  ],
})

const plugin = definePlugin({ name: 'careless', dialects: [careless] })

const climbing = [
  '..',
  '.',
  '',
  'a/../../b',
  'a//b',
  'a/%2e%2e/b',
  'a%2F..%2Fb',
  'a%5cb',
  'a%252fb',
  'a;b',
  'a%3bb',
  'a?b=c',
  'a#b',
  'a%00',
  'a\u0000',
  'a b',
  'a%c0%aeb',
  'a%e0%80%aeb',
  'a%f0%80%80%aeb',
  'é',
  'a\ud800',
]

test('a path that a careless dialect makes reaches no account if it can climb', async () => {
  await using upstream = await startFakeAccount(answerJson({}))
  const account = { id: 'a', provider: 'careless', baseUrl: upstream.url, models: ['m'] }
  await using gateway = await createTestGateway({ accounts: [account], plugins: [plugin] })
  const ask = (thing: string) =>
    fetch(`${gateway.url}/careless`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ thing }),
    })

  for (const thing of climbing) expect([thing, (await ask(thing)).status]).toEqual([thing, 404])
  expect(upstream.requests).toEqual([])

  for (const thing of ['a', 'a.b', '...', "a-_~!$&'()*+,=:@b", 'a%20%C3%A9%E2%82%AC']) {
    expect([thing, (await ask(thing)).status]).toEqual([thing, 200])
    expect(upstream.requests.at(-1)?.url).toBe(`/things/${thing}/text`)
  }
})
