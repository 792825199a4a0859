import { describe, expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { startNginx } from '../walks/ingress/nginx.ts'
import { type DialectName, dialectNames, dialects } from './dialects.ts'
import { answerAnything, startService } from './service.ts'

/** Names that climb from the models of a key to another one, however a hop decodes them. */
const climbing = [
  'ngpub-/../ng-secret',
  'ngpub-x/../ng-secret',
  'ngpub-x/..',
  'ngpub-x/.',
  'ngpub-x//ng-secret',
  'ngpub-x/',
  'ngpub-x/... ',
  'ngpub-x\\..\\ng-secret',
  'ngpub-x/..\\ng-secret',
  'ngpub-x%2f..%2fng-secret',
  'ngpub-x/%2e%2e/ng-secret',
  'ngpub-x%252f%252e%252e%252fng-secret',
  'ngpub-x/%25252e%25252e/ng-secret',
  'ngpub-x/%c0%ae%c0%ae/ng-secret',
  'ngpub-x%',
  'ngpub-x%00',
  'ngpub-x/..;/ng-secret',
  'ngpub-x;/ng-secret',
  'ngpub-x?/../ng-secret',
  'ngpub-x#',
  'ngpub-x\u0000',
  'ngpub-x\n/../ng-secret',
  'ngpub-x\u007f',
  'ngpub-x\ud800',
  'ngpub-x/．．/ng-secret',
  'ngpub-x／．．／ng-secret',
  `ngpub-${'x/'.repeat(20)}y`,
  `ngpub-${'x'.repeat(600)}`,
]

const key = { id: 'team', secret: 'sk-team', models: ['ngpub-*'] }

/** A gateway whose Gemini account stands behind a proxy that normalises paths. */
async function startScene() {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(
    await startFakeAccount((response, request) => {
      if (request.url === '/livez') return void response.end()
      return answerJson(dialects.generate.reply)(response, request)
    }),
  )
  // The slash at its end makes nginx send on the path as it understands it.
  const hop = starting.use(await startNginx(`${upstream.url}/`))
  const account = { provider: 'gemini', baseUrl: hop.url, apiKey: 'k' }
  const models = ['ngpub-*', 'ng-secret']
  const gateway = starting.use(
    await createTestGateway({ accounts: [{ id: 'a', ...account, models }], keys: [key] }),
  )
  const started = starting.move()
  return {
    gateway,
    asked: () => upstream.requests.map(({ url }) => url).filter((url) => url !== '/livez'),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

function ask(url: string, dialect: DialectName, model: string) {
  const { path, request, credential } = dialects[dialect]
  // UTF-8 has no lone surrogates; their bytes are not well formed.
  const name = model.isWellFormed() ? encodeURIComponent(model) : '%ED%A0%80'
  const inPath = path.replace('models/m:', `models/${name}:`)
  return fetch(url + inPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(key.secret) },
    body: JSON.stringify(dialect === 'generate' ? request : { ...request, model }),
  })
}

test('a key for ngpub-* reaches no other model through a proxy that normalises paths', async () => {
  await using scene = await startScene()
  const { gateway, asked } = scene
  for (const dialect of dialectNames) {
    expect([dialect, (await ask(gateway.url, dialect, 'ngpub-one')).status]).toEqual([dialect, 200])
    expect(asked().pop()).toBe('/v1beta/models/ngpub-one:generateContent')
  }
  const known = asked().length
  for (const name of climbing) {
    for (const dialect of dialectNames) {
      const response = await ask(gateway.url, dialect, name)
      const { error } = (await response.json()) as { error: object }
      // A text that is no Unicode names nothing.
      const isText = name.isWellFormed() || dialect === 'generate'
      const [status, reason] = isText ? [404, /not_found/i] : [400, /invalid/i]
      expect([dialect, name, response.status]).toEqual([dialect, name, status])
      expect(JSON.stringify(error)).toMatch(reason)
    }
  }
  expect(asked()).toHaveLength(known)
})

/** Names of real providers, and what the specification of models allows. */
const named = [
  'sandbox/text=red%20plums',
  'm',
  'pub/m',
  'm:free@1 x',
  'é+x',
  '@cf/meta/llama',
  'accounts/a/models/m',
  'a..b',
]

describe('one name is one model', () => {
  test.each(named)('%s is served from a body and from a path', async (name) => {
    await using service = await startService()
    for (const dialect of dialectNames) {
      const path = `/v1beta/models/${encodeURIComponent(name)}:generateContent`
      const answer =
        dialect === 'generate'
          ? await service.ask('generate', {}, { path })
          : await service.ask(dialect, { model: name })
      expect([dialect, answer.status]).toEqual([dialect, 200])
    }
    const listed = await fetch(`${service.gateway.url}/v1/models/${encodeURIComponent(name)}`, {
      headers: { authorization: `Bearer ${service.gateway.key}` },
    })
    expect(listed.status).toBe(200)
  })

  test('an account’s own name of a model climbs nowhere either', async () => {
    await using upstream = await startFakeAccount(answerAnything)
    const own = ['../x', 'a/../b', 'a?b', '', 'x#y', '%2e%2e']
    const models = Object.fromEntries(own.map((name, index) => [`m${index}`, `models/${name}`]))
    const shared = { provider: 'gemini', baseUrl: upstream.url, apiKey: 'k' }
    await using gateway = await createTestGateway({
      // A star stands for nothing too, which would leave an empty segment, or for a dot.
      accounts: [{ id: 'a', ...shared, models: { ...models, 'cut-*': '*', 'tail*': 't/*' } }],
      keys: [{ id: 'team', secret: key.secret }],
    })
    for (const name of [...Object.keys(models), 'cut-', 'tail', 'tail..', 'tail.']) {
      for (const dialect of ['chat', 'generate'] as const) {
        const { status } = await ask(gateway.url, dialect, name)
        // What a wildcard stands for is the client's.
        const expected = name in models ? [500] : [400, 404]
        expect([name, dialect, expected.includes(status)]).toEqual([name, dialect, true])
      }
    }
    expect(upstream.requests).toEqual([])
  })
})

test.each(['..%2Fx', 'a%2Fb', 'a%252Fb', 'a%5Cb', 'a%3Fb', 'a%23', 'a%3Bb', '%E2%80%A5', 'a%00'])(
  'the item %s of a conversation is unknown',
  async (item) => {
    await using service = await startService({}, (response, request) =>
      answerJson({ id: 'conv_1', object: 'conversation', data: [] })(response, request),
    )
    const { url, key: own } = service.gateway
    const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' }
    const post = { method: 'POST', headers, body: '{}' }
    expect((await fetch(`${url}/v1/conversations`, post)).status).toBe(200)
    const known = service.upstream.requests.length
    const items = `${url}/v1/conversations/conv_1/items`
    expect((await fetch(`${items}/${item}`, { headers })).status).toBe(404)
    expect(service.upstream.requests).toHaveLength(known)
    expect((await fetch(`${items}/msg_1`, { headers })).status).toBe(200)
    expect(service.received().url).toBe('/v1/conversations/conv_1/items/msg_1')
  },
)

test('a job whose account gives it a name that climbs is no job', async () => {
  await using service = await startService({}, (response, request) =>
    answerJson({ id: '../../v1/files', object: 'video', status: 'queued' })(response, request),
  )
  const { url, key: own } = service.gateway
  const response = await fetch(`${url}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', prompt: 'a cat' }),
  })
  expect(response.status).toBe(502)
})
