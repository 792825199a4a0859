import { type IncomingMessage, request } from 'node:http'

import { expect, test } from 'vitest'

import type { Role } from '../../../src/admin/roles.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { type Answer, send } from './send.ts'

const json = { 'content-type': 'application/json' }
const console = { 'x-dragoman-console': '1' }
const path = '/console/call'

async function signIn(gateway: AdminGateway, role: Role = 'admin'): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.token(role)}` }
  const { headers: set } = await send(gateway.adminUrl, { path: '/session', headers })
  return String(set['set-cookie']).split(';')[0]!
}

/** A gateway with an account of the sandbox, and with a session of an admin. */
async function start() {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const account = {
    id: 'a',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
    models: ['*'],
  }
  const gateway = opening.use(await startAdminGateway({ accounts: [account] }))
  const cookie = await signIn(gateway)
  const opened = opening.move()
  return {
    gateway,
    cookie,
    call: (call: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      send(gateway.adminUrl, {
        path,
        headers: { ...json, ...console, cookie, ...headers },
        body: typeof call === 'string' ? call : JSON.stringify(call),
      }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const chat = (model: string, more: object = {}) => ({
  path: '/v1/chat/completions',
  headers: { authorization: 'Bearer test-secret', 'content-type': 'application/json' },
  body: { model, messages: [{ role: 'user', content: 'hi' }], ...more },
})

test('the Playground calls a model with its key, as on the public address', async () => {
  await using at = await start()
  const answer = await at.call(chat('sandbox/words=3'))
  expect([answer.status, answer.headers['x-dragoman-call']]).toEqual([200, 'answered'])
  expect(answer.headers['x-request-id']).toMatch(/^req_/)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  const { choices } = JSON.parse(answer.text) as { choices: { message: { content: string } }[] }
  expect(choices[0]!.message.content.split(' ')).toHaveLength(3)
  // The gateway's own errors, in the form of the dialect.
  const wrong = await at.call({ ...chat('sandbox/x'), headers: { authorization: 'Bearer wrong' } })
  expect([wrong.status, wrong.headers['x-dragoman-call']]).toEqual([401, 'answered'])
  expect(JSON.parse(wrong.text)).toMatchObject({
    error: { message: expect.stringContaining('API key') as string },
  })
  const messages = await at.call({
    path: '/v1/messages',
    headers: { 'x-api-key': 'test-secret', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'none',
      max_tokens: 5,
      messages: [{ role: 'user', content: 'x' }],
    }),
  })
  expect([messages.status, JSON.parse(messages.text)]).toMatchObject([400, { type: 'error' }])
  const list = await at.call({
    method: 'GET',
    path: '/v1/models',
    headers: { authorization: 'Bearer test-secret' },
  })
  expect([list.status, JSON.parse(list.text)]).toMatchObject([200, { object: 'list' }])
  expect(at.gateway.accessLog.map((line) => (line as { path?: string }).path)).not.toContain(path)
  expect(at.gateway.written()).not.toContain('test-secret')
})

/** Opens a call whose answer streams. */
function open(gateway: AdminGateway, cookie: string, call: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...json, ...console, cookie }
    const sent = request(`${gateway.adminUrl}${path}`, { method: 'POST', headers, agent: false })
    sent.on('error', reject).on('response', resolve)
    sent.end(JSON.stringify(call))
  })
}

const slow = chat('sandbox/words=1000+pace=20', { stream: true })
const inFlight = ({ running }: AdminGateway) => running.gateway.inflight()

test('a stream passes as it comes, and ends at the account when the page leaves', async () => {
  await using at = await start()
  const answer = await open(at.gateway, at.cookie, slow)
  expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
  const first = await new Promise((resolve) => answer.once('data', resolve))
  expect(String(first)).toContain('data: ')
  expect(inFlight(at.gateway)).toBe(1)
  answer.destroy()
  await expect.poll(() => inFlight(at.gateway), { timeout: 5_000 }).toBe(0)
  await expect
    .poll(() => at.gateway.accessLog.at(-1))
    .toMatchObject({ stream_end: 'client_gone', user_agent: 'dragoman-console' })
})

test('a call ends with the session that sends it', { timeout: 20_000 }, async () => {
  await using at = await start()
  const answer = await open(at.gateway, at.cookie, slow)
  const ended = new Promise((resolve) => answer.once('close', resolve))
  answer.on('error', () => {}).resume()
  const headers = { ...console, cookie: at.cookie }
  await send(at.gateway.adminUrl, { method: 'DELETE', path: '/session', headers })
  await ended
  expect(answer.complete).toBe(false)
  await expect.poll(() => inFlight(at.gateway), { timeout: 5_000 }).toBe(0)
})

test('a reply that breaks off breaks off for the page, too', async () => {
  await using upstream = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"half"}}]}\n\n',
    )
    setTimeout(() => response.destroy(), 50)
  })
  const account = { id: 'a', provider: 'openai', baseUrl: upstream.url, apiKey: 'k', models: ['m'] }
  await using gateway = await startAdminGateway({ accounts: [{ ...account, speaks: ['chat'] }] })
  const answer = await open(gateway, await signIn(gateway), chat('m', { stream: true }))
  let text = ''
  await new Promise<void>((resolve) => {
    answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
    answer.on('error', () => {}).on('close', resolve)
  })
  expect(text).toContain('half')
  expect(text).not.toContain('[DONE]')
  expect(text.includes('error') || !answer.complete).toBe(true)
})

test('an account sets no cookie, policy or other header at the admin address', async () => {
  const hostile = {
    'set-cookie': 'dragoman_admin=attacker; Path=/',
    'content-security-policy': 'script-src *',
    'access-control-allow-origin': '*',
    'clear-site-data': '"*"',
    'www-authenticate': 'Basic',
    location: 'https://evil.example',
    refresh: '0; url=https://evil.example',
    link: '<https://evil.example>; rel=preload',
  }
  await using upstream = await startFakeAccount(
    answerJson(
      {
        id: 'c',
        object: 'chat.completion',
        model: 'm',
        choices: [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } },
        ],
      },
      { headers: hostile },
    ),
  )
  const account = { id: 'a', provider: 'openai', baseUrl: upstream.url, apiKey: 'k', models: ['m'] }
  await using gateway = await startAdminGateway({
    accounts: [{ ...account, speaks: ['chat'] }],
    plugins: [
      {
        name: 'hostile',
        onExchange: async ({ next }) => {
          const reply = await next()
          return { ...reply, headers: { ...reply.headers, ...hostile } }
        },
      },
    ],
  })
  const cookie = await signIn(gateway)
  const answer = await send(gateway.adminUrl, {
    path,
    headers: { ...json, ...console, cookie },
    body: JSON.stringify(chat('m')),
  })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-security-policy']).not.toContain('*')
  for (const name of Object.keys(hostile).filter((one) => one !== 'content-security-policy'))
    expect([name, answer.headers[name]]).toEqual([name, undefined])
})

test('only a session of an operator or an admin calls, from the own page', async () => {
  await using at = await start()
  const status = async (headers: Record<string, string>) => {
    const body = JSON.stringify(chat('sandbox/words=1'))
    const { status: got, code } = await send(at.gateway.adminUrl, { path, headers, body })
    return [got, code]
  }
  const own = { ...json, ...console, cookie: at.cookie }
  expect((await status(own))[0]).toBe(200)
  const as = async (role: Role) => await status({ ...own, cookie: await signIn(at.gateway, role) })
  expect(await as('viewer')).toEqual([403, 'FORBIDDEN'])
  expect((await as('operator'))[0]).toBe(200)
  // A token has no page.
  const authorization = `Bearer ${at.gateway.token('admin')}`
  expect(await status({ ...json, authorization })).toEqual([403, 'FORBIDDEN'])
  expect(await status({ ...json })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await status({ ...json, cookie: at.cookie })).toEqual([403, 'CONSOLE_HEADER_REQUIRED'])
  expect(await status({ ...own, origin: 'https://evil.example' })).toEqual([403, 'FOREIGN_ORIGIN'])
  expect(await status({ ...own, 'sec-fetch-site': 'same-site' })).toEqual([403, 'FOREIGN_ORIGIN'])
  expect(await status({ ...own, host: 'evil.example' })).toEqual([421, 'FOREIGN_HOST'])
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    expect(await status({ ...own, 'content-type': type })).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  await expect.poll(() => at.gateway.accessLog.length).toBe(2)
})

test('a call reaches the operations of inference alone, with the headers of a call', async () => {
  await using at = await start()
  const good = chat('sandbox/words=1')
  const refused = async (call: unknown) => {
    const { status, code, headers } = await at.call(call)
    expect(headers['x-dragoman-call']).toBeUndefined()
    return [status, code]
  }
  for (const other of [
    '/session',
    '/graphql',
    '/console/call',
    '/metrics',
    '/readyz?verbose',
    '/livez',
    '/openapi.json',
    '/v1/files/upload_url',
    '/v1/chat/completions/../../../graphql',
    '/v1/%2e%2e/graphql',
  ])
    for (const method of ['POST', 'GET'])
      expect([other, await refused({ ...good, method, path: other })]).toEqual([
        other,
        [404, 'NOT_FOUND'],
      ])
  for (const bad of [
    'http://evil.example/v1/chat/completions',
    '//evil.example/v1/chat/completions',
    'v1/chat/completions',
    '/v1/chat/completions HTTP/1.1\r\nx-forwarded-for: 1.2.3.4',
    '/v1/chat/completions#x',
    '/v1/chat\\completions',
    `/v1/${'a'.repeat(2_000)}`,
  ]) {
    const [status] = await refused({ ...good, path: bad })
    expect([bad, status === 400 || status === 404]).toEqual([bad, true])
  }
  const withHeaders = (headers: object) =>
    refused({ ...good, headers: { ...good.headers, ...headers } })
  for (const name of [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'x-forwarded-proto',
    'host',
    'cookie',
    'connection',
    'transfer-encoding',
    'content-length',
    'upgrade',
    'expect',
    'te',
    'origin',
    'X-Forwarded-For',
    'x-dragoman-sandbox',
    'proxy-authorization',
    '__proto__x',
  ])
    expect([name, await withHeaders({ [name]: '1' })]).toEqual([name, [400, 'BAD_REQUEST']])
  for (const value of ['a\r\nx-forwarded-for: 1.2.3.4', 'a\nb', 'a\0b', '\u00e9', 1, ['a'], null])
    expect([value, await withHeaders({ accept: value })]).toEqual([value, [400, 'BAD_REQUEST']])
  for (const call of [
    '',
    '{',
    '[]',
    'null',
    '{}',
    { ...good, method: 'CONNECT' },
    { ...good, url: 'x' },
  ])
    expect([call, await refused(call)]).toEqual([call, [400, 'BAD_REQUEST']])
  // Sessions and admin tokens call no model.
  for (const headers of [{}, { authorization: '' }, { 'content-type': 'application/json' }])
    expect(await refused({ ...good, headers })).toEqual([400, 'KEY_REQUIRED'])
  const admin = { authorization: `Bearer ${at.gateway.token('admin')}` }
  expect((await at.call({ ...good, headers: admin })).status).toBe(401)
  expect((await at.call({ ...good, body: 'x'.repeat(5 * 1024 * 1024) })).status).toBe(413)
})

test('a call has the address of the browser, whatever it says', async () => {
  await using gateway = await startAdminGateway({
    trustedProxies: ['10.0.0.0/8'],
    admin: { trustedProxies: ['127.0.0.1'] },
  })
  const from = { 'x-forwarded-for': '203.0.113.9' }
  const cookie = await signIn(gateway)
  await send(gateway.adminUrl, {
    path,
    headers: { ...json, ...console, cookie, ...from },
    body: JSON.stringify(chat('none')),
  })
  await expect.poll(() => gateway.accessLog.at(-1)).toMatchObject({ client_ip: '203.0.113.9' })
})

test('one user has a few calls at a time, and leaves room to others', async () => {
  await using at = await start()
  const opened = await Promise.all(
    Array.from({ length: 6 }, () => open(at.gateway, at.cookie, slow)),
  )
  const statuses = opened.map(({ statusCode }) => statusCode)
  expect(statuses.map(String).toSorted()).toEqual(['200', '200', '200', '200', '503', '503'])
  for (const answer of opened) answer.on('error', () => {}).destroy()
})

test('a key for minutes calls until it expires', { timeout: 20_000 }, async () => {
  await using at = await start()
  const expiresAt = new Date(Date.now() + 4_000).toISOString()
  const { data } = await at.gateway.graph<{ createKey: { secret: string } }>(
    `mutation($expiresAt: DateTime) { createKey(input: { id: "playground-1", expiresAt: $expiresAt }) {
      ... on CreateKeySuccess { secret } } }`,
    { expiresAt },
  )
  const { secret } = data.createKey
  const withKey = {
    ...chat('sandbox/words=1'),
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
  }
  expect((await at.call(withKey)).status).toBe(200)
  await expect.poll(async () => (await at.call(withKey)).status, { timeout: 10_000 }).toBe(401)
})
