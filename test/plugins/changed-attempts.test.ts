import { createHash, createHmac, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

import { describe, expect, test } from 'vitest'

import { definePlugin, type GatewayPlugin, type Outbound } from '../../src/index.ts'
import {
  type AccountRequest,
  answerJson,
  createTestGateway,
  startFakeAccount,
} from '../../src/testing/index.ts'
import { type AdminGateway, startAdminGateway } from '../admin/admin-gateway.ts'
import { openPage, repository } from '../docs/pages.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { answerOk, startForms, uploadOf } from '../walks/forms/service.ts'
import { accountAt, answerChat, askChat, frames, reply, stage } from '../third-party/chat.ts'

const secret = 'secret-of-signatures'

/** The signing plugin of the page, for one account. */
async function signingOfPage(account: string): Promise<GatewayPlugin> {
  const source = openPage('docs/plugins.md')
    .blocks('ts')
    .find((block) => block.includes("name: 'signing'"))
  const entry = pathToFileURL(join(repository, 'src/index.ts')).href
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'signing.ts')
  const placed = source!
    .replace("from 'dragoman'", `from '${entry}'`)
    .replace("from 'zod'", `from '${import.meta.resolve('zod')}'`)
  await writeFile(file, placed)
  const { default: plugin } = (await import(pathToFileURL(file).href)) as {
    default(options: { account: string; secret: string }): GatewayPlugin
  }
  return plugin({ account, secret })
}

/** Checks the signature of what the account got, by its bytes. */
function expectSigned({ method, url, headers, body }: AccountRequest): void {
  const digest = createHash('sha256').update(body).digest('hex')
  expect(headers['x-content-sha256']).toBe(digest)
  const signed = [method, headers.host, url, headers['x-time'], digest].join('\n')
  const signature = createHmac('sha256', secret).update(signed).digest('hex')
  expect(headers.authorization).toBe(`HMAC-SHA256 ${signature}`)
}

describe('the signing plugin of the page signs the bytes that leave', () => {
  test('of native calls, streamed or not', async () => {
    await using scene = await stage({ plugins: [await signingOfPage('only')] })
    expect(await (await askChat(scene.gateway)).json()).toMatchObject({ id: reply.id })
    const fields = { stream: true, stream_options: { include_usage: true } }
    const streamed = await askChat(scene.gateway, { fields })
    expect(await streamed.text()).toBe(frames.join(''))
    for (const request of scene.account.requests) expectSigned(request)
    expect(scene.account.requests).toHaveLength(2)
  })

  test('of translated and large calls', async () => {
    await using account = await startFakeAccount(answerChat)
    await using gateway = await createTestGateway({
      accounts: [accountAt('only', account.url, { speaks: ['chat'] })],
      plugins: [await signingOfPage('only')],
    })
    const content = 'long '.repeat(200_000)
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: {
        'x-api-key': gateway.key,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }),
    })
    expect(response.status).toBe(200)
    expect(account.requests[0]?.url).toBe('/v1/chat/completions')
    expectSigned(account.requests[0]!)
  })

  test('of forms that lie in a file, again at the next account', async () => {
    const refuse = answerJson({ error: { message: 'not now' } }, { status: 503 })
    const plugins = [await signingOfPage('one'), await signingOfPage('two')]
    await using service = await startForms([refuse, answerOk], {
      plugins: plugins.map((plugin, index) => ({ ...plugin, name: `signing-${index}` })),
    })
    const body = uploadOf(randomBytes(3 * 1024 * 1024), 'theirs')
    expect((await service.send(body)).headers.get('x-dragoman-account')).toBe('two')
    for (const { requests } of service.accounts) expectSigned(requests[0]!)
  })

  test('of the free call that tests the account', async () => {
    await using account = await startFakeAccount((response, request) => {
      const isSigned = request.headers.authorization?.startsWith('HMAC-SHA256 ')
      const answer = isSigned ? answerJson({ data: [] }) : answerJson({}, { status: 401 })
      return answer(response, request)
    })
    await using gateway = await startAdminGateway({
      accounts: [accountAt('only', account.url)],
      plugins: [await signingOfPage('only')],
    })
    expect(await testAccount(gateway)).toMatchObject({ outcome: 'ACCEPTED', why: null })
    expectSigned(account.requests.at(-1)!)
  })
})

test('a changed path, header and body reach this account alone, and a hook may leave a header out', async () => {
  const change = definePlugin({
    name: 'change',
    onAttempt({ exchange, outbound, next }) {
      if (exchange.candidate.account.id !== 'first') return next()
      const headers = { ...outbound.headers, Authorization: 'Own 1', accept: undefined } as never
      const body = Buffer.from('{"changed":true}')
      return next({ ...outbound, path: `${outbound.path}?signed=1`, headers, body })
    },
  })
  await using first = await startFakeAccount(answerJson({ error: {} }, { status: 503 }))
  await using second = await startFakeAccount(answerJson(reply))
  await using gateway = await createTestGateway({
    accounts: [accountAt('first', first.url), accountAt('second', second.url, { priority: 1 })],
    plugins: [change],
  })
  expect((await askChat(gateway)).headers.get('x-dragoman-account')).toBe('second')
  const [changed] = first.requests
  expect(changed).toMatchObject({ url: '/v1/chat/completions?signed=1' })
  expect(changed?.headers).toMatchObject({ authorization: 'Own 1', 'content-length': '16' })
  expect(changed?.headers).not.toHaveProperty('accept')
  expect(changed?.body.toString()).toBe('{"changed":true}')
  const [plain] = second.requests
  expect(plain).toMatchObject({ url: '/v1/chat/completions' })
  expect(plain?.headers).toMatchObject({ authorization: 'Bearer key-of-second' })
})

const canary = 'canary-value'
const header = (name: string, value: unknown) => ({ headers: { [name]: value } }) as never
const changes: Record<string, Partial<Outbound>> = {
  'another origin': { origin: 'http://127.0.0.1:1' },
  'another method': { method: 'CONNECT' },
  'a path that is a URL': { path: `http://127.0.0.1:1/${canary}` },
  'a path that names a host': { path: `//127.0.0.1:1/${canary}` },
  'a path that names a host by a backslash': { path: `/\\127.0.0.1:1/${canary}` },
  'a path with a line break': { path: `/v1 HTTP/1.1\r\nx: ${canary}` },
  'a header with a line break': header('x-own', `${canary}\r\nx-other: 1`),
  'a header that is no text': header('x-own', 5),
  'a name of a header with a blank': header(`x own ${canary}`, '1'),
  'the host of another server': header('host', 'example.org'),
  'a length of its own': header('content-length', '1'),
  'a transfer coding': header('Transfer-Encoding', 'chunked'),
  'a body that is text': { body: canary as never },
}

test.each(Object.entries(changes))(
  'a hook that sends %s fails, and nothing leaves',
  async (_name, change) => {
    const careless = definePlugin({
      name: 'careless',
      onAttempt: ({ outbound, next }) => next({ ...outbound, ...change }),
    })
    await using scene = await stage({ plugins: [careless] })
    for (let call = 0; call < 6; call++) {
      const response = await askChat(scene.gateway)
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain(canary)
    }
    expect(scene.account.requests).toEqual([])
    const [line] = await scene.gateway.logged(1)
    expect(line).toMatchObject({ status: 500 })
  },
)

test('a request that a hook changes in place keeps the address of the account', async () => {
  await using elsewhere = await startFakeAccount(answerChat)
  const sly = definePlugin({
    name: 'sly',
    onAttempt({ outbound, next }) {
      Object.assign(outbound, { origin: elsewhere.url })
      return next()
    },
  })
  await using scene = await stage({ plugins: [sly] })
  expect((await askChat(scene.gateway)).status).toBe(500)
  expect(elsewhere.requests).toEqual([])
})

test.each([
  ['another length', () => Readable.from([Buffer.from('{}'), Buffer.from('too much')])],
  ['no bytes', () => Readable.from([])],
  ['texts whose bytes are more than their characters', () => Readable.from(['é', 'é'])],
  ['texts of another length', () => Readable.from(['{', '} too much'])],
  ['values that are no bytes', () => Readable.from([1, { length: 1 }])],
  [
    'an error',
    () =>
      new Readable({
        read() {
          this.destroy(new Error('gone'))
        },
      }),
  ],
])('a streamed body of a hook with %s is no failure of the account', async (_name, open) => {
  const careless = definePlugin({
    name: 'careless',
    onAttempt: ({ exchange, outbound, next }) =>
      exchange.request.headers['x-sound']
        ? next()
        : next({ ...outbound, body: { length: 2, open } }),
  })
  await using scene = await stage({ plugins: [careless] })
  for (let call = 0; call < 6; call++) expect((await askChat(scene.gateway)).status).toBe(500)
  const sound = await askChat(scene.gateway, { headers: { 'x-sound': '1' } })
  expect(sound.status).toBe(200)
})

test('a streamed body of a hook reaches the account whole', async () => {
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [] }))
  const streaming = definePlugin({
    name: 'streaming',
    onAttempt: ({ outbound, next }) =>
      next({ ...outbound, body: { length: body.length, open: () => Readable.from([body]) } }),
  })
  await using scene = await stage({ plugins: [streaming] })
  expect((await askChat(scene.gateway)).status).toBe(200)
  expect(scene.account.requests[0]?.body.equals(body)).toBe(true)
  expect(scene.account.requests[0]?.headers['content-length']).toBe(String(body.length))
})

interface Tested {
  readonly outcome: string
  readonly why: string | null
}

async function testAccount({ graph }: AdminGateway): Promise<Tested> {
  const { data, errors } = await graph<{ testAccount: Tested }>(
    `mutation { testAccount(input: {id: "only"}) { __typename
      ... on TestAccountSuccess { outcome why: message } } }`,
  )
  expect(errors).toEqual([])
  return data.testAccount
}

test('a hook may repeat a free call with a new token, and knows it by its operation', async () => {
  await using account = await startFakeAccount((response, request) => {
    const isNew = request.headers['x-token'] === 'new'
    return answerJson({ data: [] }, { status: isNew ? 200 : 401 })(response, request)
  })
  const seen: unknown[] = []
  const renewing = definePlugin({
    name: 'renewing',
    async onAttempt({ exchange: { operation, caller, call }, outbound, next }) {
      seen.push([operation.id, caller.keyId, call.model, outbound.body])
      const withToken = (token: string) =>
        next({ ...outbound, headers: { ...outbound.headers, 'x-token': token } })
      return withToken('old').catch(({ outcome }: { outcome: { httpStatus: number } }) => {
        seen.push(outcome.httpStatus)
        return withToken('new')
      })
    },
  })
  const accounts = [accountAt('only', account.url, { models: ['m'] })]
  await using gateway = await startAdminGateway({ accounts, plugins: [renewing] })
  expect(await testAccount(gateway)).toMatchObject({ outcome: 'ACCEPTED', why: null })
  expect(seen).toEqual([['account.free-call', '@gateway', '', null], 401])
})

const preventing: Record<string, [GatewayPlugin['onAttempt'], string]> = {
  'throws an error': [() => Promise.reject(new Error(canary)), 'A plugin prevents it.'],
  'answers by itself': [
    () => ({ status: 200, headers: {}, body: null }),
    'A plugin answers in place of the account.',
  ],
  hangs: [() => new Promise(() => {}), 'The account does not answer within five seconds.'],
}

test.each(Object.entries(preventing))(
  'a free call that a hook prevents is inconclusive, and says so: it %s',
  async (_name, [onAttempt, why]) => {
    await using account = await startFakeAccount(answerJson({ data: [] }))
    await using gateway = await startAdminGateway({
      accounts: [accountAt('only', account.url, { models: ['m'] })],
      plugins: [definePlugin({ name: 'preventing', onAttempt: onAttempt! })],
    })
    expect(await testAccount(gateway)).toMatchObject({ outcome: 'INCONCLUSIVE', why })
    expect(account.requests).toEqual([])
  },
)

test('an open circuit does not hold back the free call of an operator, which does not close it', async () => {
  await using account = await startFakeAccount((response, request) => {
    const status = request.method === 'GET' ? 200 : 500
    return answerJson({ data: [] }, { status })(response, request)
  })
  const accounts = [accountAt('only', account.url, { models: ['m'], speaks: ['chat'] })]
  await using gateway = await startAdminGateway({ accounts })
  let refused = ''
  while (!refused.includes('circuit')) refused = await (await askChat(gateway)).text()
  const before = account.requests.length
  expect(await testAccount(gateway)).toMatchObject({ outcome: 'ACCEPTED', why: null })
  expect(account.requests).toHaveLength(before + 1)
  expect(await (await askChat(gateway)).text()).toContain('circuit')
  expect(account.requests).toHaveLength(before + 1)
})
