import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { type AccountCredential, CredentialFailure } from '../../src/contract/credential.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { headerCredential, tokenCredential, tokenIn } from '../../src/kit/token-credential.ts'
import {
  type AccountRequest,
  answerJson,
  startFakeAccount,
} from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { dialects } from '../requests/dialects.ts'

/** A plugin whose provider has a credential of its own. */
function issuing(credential: (apiKey: string) => AccountCredential) {
  return definePlugin({
    name: 'issuing',
    providers: {
      issued: { credential: ({ apiKey = '' }) => credential(apiKey), dialects: { chat: {} } },
    },
  })
}

/** A server of tokens, which a test can turn off and on, and the accounts that want them. */
async function startIssuer({ livesS = 3_600, now }: { livesS?: number; now?: () => number } = {}) {
  await using starting = new AsyncDisposableStack()
  let issued = 0
  const state: { status: number; delayMs: number; held?: Promise<void> } = {
    status: 200,
    delayMs: 0,
  }
  const issuer = starting.use(
    await startFakeAccount(async (response, request) => {
      await new Promise((resolve) => setTimeout(resolve, state.delayMs))
      await state.held
      if (state.status === 0) return void response.destroy()
      const body =
        state.status === 200
          ? { access_token: `token-number-${++issued}-long`, expires_in: livesS }
          : { error: 'invalid_client', error_description: 'secret-in-the-description' }
      return answerJson(body, { status: state.status })(response, request)
    }),
  )
  const answer = (response: ServerResponse, request: AccountRequest) => {
    const { authorization = '' } = request.headers
    const isValid = /^Bearer token-number-\d+-long$/.test(authorization)
    const reply = isValid ? dialects.chat.reply : { error: { message: `no: ${authorization}` } }
    return answerJson(reply, { status: isValid ? 200 : 401 })(response, request)
  }
  const account = starting.use(await startFakeAccount(answer))
  const other = starting.use(await startFakeAccount(answerJson(dialects.chat.reply)))
  const plugin = issuing(() =>
    tokenCredential({
      ...(now && { now }),
      async fetch({ request }) {
        const reply = await request({ method: 'POST', url: `${issuer.url}/token`, body: 'a=b' })
        return tokenIn(reply, 'The issuer', 'check the secret')
      },
    }),
  )
  const started = starting.move()
  return {
    state,
    issuer,
    account,
    other,
    plugin,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

async function ask(gateway: { url: string; key: string }, model = 'm') {
  const { path, credential, request } = dialects.chat
  return await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key) },
    body: JSON.stringify({ ...request, model }),
  })
}

const first = (baseUrl: string) => ({
  id: 'first',
  provider: 'issued',
  baseUrl: `${baseUrl}/v1`,
  models: ['m'],
})
const second = (baseUrl: string) => ({
  id: 'second',
  provider: 'openai-compatible',
  baseUrl: `${baseUrl}/v1`,
  models: ['m'],
  priority: 1,
})

test('calls that come together wait for one fetch of a token', async () => {
  await using issuer = await startIssuer()
  issuer.state.delayMs = 50
  await using gateway = await createTestGateway({
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url)],
  })
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(gateway)))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(issuer.issuer.requests).toHaveLength(1)
  expect((await ask(gateway)).status).toBe(200)
  expect(issuer.issuer.requests).toHaveLength(1)
})

test('no call fails while tokens end and are renewed ten times', { timeout: 30_000 }, async () => {
  await using issuer = await startIssuer({ livesS: 0.4 })
  await using gateway = await createTestGateway({
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url)],
  })
  const statuses = new Set<number>()
  const client = async () => {
    while (issuer.issuer.requests.length <= 10) {
      statuses.add((await ask(gateway)).status)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await Promise.all(Array.from({ length: 4 }, client))
  expect([...statuses]).toEqual([200])
})

const accountOf = (reply: Response) => reply.headers.get('x-dragoman-account')

test('an issuer that is away moves calls to another account, with one warning, until it is back', async () => {
  let now = 0
  await using issuer = await startIssuer({ now: () => now })
  issuer.state.status = 503
  await using gateway = await createTestGateway({
    admin: true,
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url), second(issuer.other.url)],
  })
  for (let call = 0; call < 8; call++) {
    const reply = await ask(gateway)
    expect([reply.status, accountOf(reply)]).toEqual([200, 'second'])
  }
  // Calls that follow a failure at once ask for no token.
  expect(issuer.issuer.requests).toHaveLength(1)
  const warnings = () => gateway.log.filter(({ msg }) => String(msg).includes('cannot be renewed'))
  expect(warnings()).toMatchObject([
    {
      account: 'first',
      kind: 'away',
      reason: 'The issuer gives no token. It answers with the status 503.',
    },
  ])
  issuer.state.status = 200
  now += 500
  await until(async () => accountOf(await ask(gateway)) === 'first')
  expect(warnings()).toHaveLength(1)
  expect(gateway.log.some(({ msg }) => String(msg).includes('is renewed again'))).toBe(true)
  expect(JSON.stringify(gateway.log)).not.toContain('circuit')
  expect(gateway.attemptWarnings).toEqual([])
})

test('an issuer that is away for a minute costs no call and opens no circuit, and calls return ten seconds after it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  await using issuer = await startIssuer()
  await using gateway = await createTestGateway({
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url), second(issuer.other.url)],
  })
  issuer.state.status = 0
  for (let second = 0; second < 60; second++) {
    const replies = await Promise.all([ask(gateway), ask(gateway), ask(gateway)])
    expect(replies.map((reply) => [reply.status, accountOf(reply)])).toEqual(
      replies.map(() => [200, 'second']),
    )
    vi.advanceTimersByTime(1_000)
  }
  issuer.state.status = 200
  let seconds = 0
  while (accountOf(await ask(gateway)) !== 'first') {
    vi.advanceTimersByTime(1_000)
    seconds++
  }
  expect(seconds).toBeLessThanOrEqual(10)
  expect(gateway.log.filter(({ level }) => level === 'warn')).toMatchObject([{ kind: 'away' }])
  expect(JSON.stringify(gateway.log)).not.toContain('circuit')
})

test('one call alone waits for an issuer that was away and hangs', async () => {
  let now = 0
  await using issuer = await startIssuer({ now: () => now })
  issuer.state.status = 503
  await using gateway = await createTestGateway({
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url), second(issuer.other.url)],
  })
  expect(accountOf(await ask(gateway))).toBe('second')
  const { promise, resolve } = Promise.withResolvers<void>()
  issuer.state.held = promise
  now += 500
  const asked: Promise<Response>[] = []
  await until(() => {
    asked.push(ask(gateway))
    return issuer.issuer.requests.length === 2
  })
  for (let call = 0; call < 5; call++) expect(accountOf(await ask(gateway))).toBe('second')
  resolve()
  const replies = await Promise.all(asked)
  expect(replies.every(({ status }) => status === 200)).toBe(true)
  expect(issuer.issuer.requests).toHaveLength(2)
})

test('a client whose only account has no credential for a while reads when to come back, and an operator why', async () => {
  await using issuer = await startIssuer({ now: () => 0 })
  issuer.state.status = 503
  await using gateway = await createTestGateway({
    admin: true,
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url)],
  })
  expect((await ask(gateway)).status).toBe(502)
  await until(async () => {
    const reply = await ask(gateway)
    const { data } = await gateway.admin!.ask('{ account(id: "first") { state stateReason } }')
    const { account } = data as { account: { state: string; stateReason: string } }
    if (account.state !== 'COOLING' || reply.status !== 503) return false
    expect(reply.headers.get('retry-after')).toBe('1')
    expect(account.stateReason).toBe(
      'cooling down: The issuer gives no token. It answers with the status 503.',
    )
    return true
  })
})

test('nothing at the address of an issuer is the fault of the account', async () => {
  await using issuer = await startIssuer()
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const plugin = issuing(() =>
    tokenCredential({
      fetch: async ({ request }) =>
        tokenIn(await request({ method: 'GET', url: `http://127.0.0.1:${port}/` }), 'x', 'x'),
    }),
  )
  await using gateway = await createTestGateway({
    plugins: [plugin],
    accounts: [first(issuer.account.url)],
  })
  const reply = await ask(gateway)
  expect(reply.status).toBe(502)
  expect(await reply.text()).not.toContain(String(port))
  expect(issuer.account.requests).toEqual([])
})

test('a refused token takes the account out with the step that failed, until it is accepted', async () => {
  await using issuer = await startIssuer()
  issuer.state.status = 401
  await using gateway = await createTestGateway({
    admin: true,
    plugins: [issuer.plugin],
    accounts: [first(issuer.account.url), second(issuer.other.url)],
  })
  const reply = await ask(gateway)
  expect(reply.headers.get('x-dragoman-account')).toBe('second')
  const { data } = await gateway.admin!.ask('{ account(id: "first") { state stateReason } }')
  expect(data).toEqual({
    account: {
      state: 'REFUSED',
      stateReason: expect.stringContaining(
        'The issuer refuses a token with the status 401',
      ) as unknown,
    },
  })
  expect(JSON.stringify(gateway.log)).not.toContain('secret-in-the-description')
  const asked = issuer.issuer.requests.length
  expect((await ask(gateway)).headers.get('x-dragoman-account')).toBe('second')
  expect(issuer.issuer.requests).toHaveLength(asked)
})

test('a clock that is set back keeps no token beyond its end, and no failure for longer', async () => {
  using _ = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000)
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    let fetched = 0
    const held = tokenCredential({
      fetch: async () => ({ text: `${++fetched}`, livesMs: 3_600_000 }),
    })
    const sent = async () => (await held.authorize(outbound, services)).headers['authorization']
    expect(await sent()).toBe('Bearer 1')
    vi.mocked(Date.now).mockRestore()
    vi.advanceTimersByTime(3_600_000)
    expect(await sent()).toBe('Bearer 2')
  } finally {
    vi.useRealTimers()
  }
})

const services = {
  account: 'a',
  log: { info() {}, warn() {} },
  request: () => Promise.reject(new Error('not asked')),
}
const outbound = { method: 'GET', origin: 'http://x', path: '/', headers: {}, body: null }

test('a token that the account refuses before its end is fetched again', async () => {
  let now = 1_000_000
  const held = tokenCredential({
    now: () => now,
    fetch: async () => ({ text: `token-at-${now}`, livesMs: 3_600_000 }),
  })
  const sent = async () => (await held.authorize(outbound, services)).headers['authorization']
  expect(await sent()).toBe('Bearer token-at-1000000')
  held.refused?.(401)
  now += 60_000
  expect(await sent()).toBe('Bearer token-at-1000000')
  held.refused?.(401)
  expect(await sent()).toBe('Bearer token-at-1060000')
  now += 60_000
  held.refused?.(403)
  // A 403 may be about what one call asks for: no other call waits for it.
  expect(held.authorize(outbound, services)).toMatchObject({
    headers: { authorization: 'Bearer token-at-1060000' },
  })
  await expect.poll(sent).toBe('Bearer token-at-1120000')
})

test('a token is in no error that a client reads, and in no log', async () => {
  await using issuer = await startIssuer()
  await using echo = await startFakeAccount((response, request) =>
    answerJson(
      { error: { message: `you sent ${request.headers.authorization}` } },
      { status: 400 },
    )(response, request),
  )
  await using gateway = await createTestGateway({
    plugins: [issuer.plugin],
    accounts: [first(echo.url)],
  })
  const text = await (await ask(gateway)).text()
  expect(text).toContain('you sent')
  expect(text).not.toContain('token-number')
  await gateway.logged(1)
  expect(JSON.stringify([gateway.log, gateway.accessLog])).not.toContain('token-number')
})

test('each request that is sent is authorized anew, behind the hooks of plugins', async () => {
  await using issuer = await startIssuer()
  let signed = 0
  const plugin = issuing(() => ({
    headers: ['x-signature'],
    authorize: (outbound) => ({
      ...outbound,
      headers: { ...outbound.headers, 'x-signature': `${++signed} of ${outbound.path}` },
    }),
  }))
  const repeating = definePlugin({
    name: 'repeating',
    async onAttempt({ outbound, next }) {
      expect(outbound.headers).not.toHaveProperty('x-signature')
      await next().catch(() => {})
      return await next({ ...outbound, path: `${outbound.path}?again` })
    },
  })
  await using gateway = await createTestGateway({
    plugins: [plugin, repeating],
    accounts: [first(issuer.other.url)],
  })
  expect((await ask(gateway)).status).toBe(200)
  expect(issuer.other.requests.map(({ headers }) => headers['x-signature'])).toEqual([
    '1 of /v1/chat/completions',
    '2 of /v1/chat/completions?again',
  ])
})

test('a key stands in the header that the provider wants, and no setting replaces it', async () => {
  await using issuer = await startIssuer()
  const plugin = issuing((apiKey) => headerCredential('x-own-key', apiKey))
  const account = { ...first(issuer.other.url), apiKey: 'key-of-the-account' }
  await using gateway = await createTestGateway({ plugins: [plugin], accounts: [account] })
  expect((await ask(gateway)).status).toBe(200)
  const [request] = issuer.other.requests
  expect(request?.headers).toMatchObject({ 'x-own-key': 'key-of-the-account' })
  expect(request?.headers).not.toHaveProperty('authorization')
  expect(() =>
    gateway.reload({ accounts: [{ ...account, headers: { 'x-own-key': 'other' } }] }),
  ).toThrow('accounts[0].headers.x-own-key')
})

test('a credential of a plugin that throws moves the call to another account', async () => {
  await using issuer = await startIssuer()
  const plugin = issuing(() => ({
    headers: [],
    authorize() {
      throw new TypeError('secret text of a defect')
    },
  }))
  await using gateway = await createTestGateway({
    plugins: [plugin],
    accounts: [first(issuer.account.url), second(issuer.other.url)],
  })
  const reply = await ask(gateway)
  expect(reply.headers.get('x-dragoman-account')).toBe('second')
  expect(issuer.account.requests).toEqual([])
  expect(new CredentialFailure('away', 'a', 'b')).toMatchObject({ kind: 'away', fix: 'b' })
})

describe('a hostile issuer of tokens', () => {
  const hostile = 'hostile-token-of-the-issuer'
  const json = (body: object) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const token = (lives: unknown) => json({ access_token: hostile, expires_in: lives })

  test.each<[string, (response: ServerResponse, elsewhere: string) => void]>([
    ['a life of 0', token(0)],
    ['a negative life', token(-60)],
    ['a life that is no number', token('soon')],
    ['no life', json({ access_token: hostile })],
    ['line ends in the token', json({ access_token: `${hostile}\r\nx-evil: 1`, expires_in: 60 })],
    ['a list for a token', json({ access_token: [hostile], expires_in: 60 })],
    ['null for JSON', (response) => void response.end('null')],
    [
      'a page',
      (response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${hostile}</p>`),
    ],
    [
      'a megabyte',
      (response) =>
        void response.end(JSON.stringify({ access_token: hostile, pad: 'x'.repeat(1024 * 1024) })),
    ],
    [
      'a redirect',
      (response, elsewhere) => void response.writeHead(307, { location: elsewhere }).end(hostile),
    ],
    [
      'half an answer',
      (response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write(`{"access_token":"${hostile}"`)
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('that answers with %s gets no storm of requests, and is in no log', async (_, answer) => {
    await using elsewhere = await startFakeAccount(
      answerJson({ access_token: 'b', expires_in: 60 }),
    )
    await using issuer = await startFakeAccount((response) => answer(response, elsewhere.url))
    await using upstream = await startFakeAccount(answerJson(dialects.chat.reply))
    const plugin = issuing((apiKey) =>
      tokenCredential({
        async fetch({ request }) {
          const url = `${issuer.url}/token`
          const reply = await request({ method: 'POST', url, body: apiKey })
          return tokenIn(reply, 'The issuer', 'fix it')
        },
      }),
    )
    const own = { id: 'a', provider: 'issued', models: ['m'] }
    await using gateway = await createTestGateway({
      plugins: [plugin],
      accounts: [{ ...own, baseUrl: upstream.url, apiKey: 'secret-of-the-account' }],
    })
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(gateway)))
    const texts = await Promise.all(replies.map((reply) => reply.text()))
    for (const { status } of replies) expect(status).toBeGreaterThanOrEqual(500)
    expect(issuer.requests.length).toBeLessThan(3)
    expect([elsewhere.requests, upstream.requests]).toEqual([[], []])
    const seen = JSON.stringify([gateway.log, gateway.attemptWarnings, gateway.accessLog, texts])
    expect(seen).not.toContain(hostile)
    expect(seen).not.toContain('secret-of-the-account')
  })

  test.each([NaN, -1, 0])('whose token lives for %s ms is not asked by each call', async (life) => {
    let fetched = 0
    const credential = tokenCredential({
      fetch: () => Promise.resolve({ text: `t${++fetched}`, livesMs: life }),
    })
    for (let calls = 0; calls < 5; calls++)
      await expect(async () => credential.authorize(outbound, services)).rejects.toThrow(
        /ended already/,
      )
    expect(fetched).toBe(1)
  })

  test('whose token lives for ever has to give another one after a day', async () => {
    let [now, fetched] = [0, 0]
    const credential = tokenCredential({
      now: () => now,
      fetch: () => Promise.resolve({ text: `t${++fetched}`, livesMs: Infinity }),
    })
    await credential.authorize(outbound, services)
    now = 25 * 60 * 60_000
    const { headers } = await credential.authorize(outbound, services)
    expect(headers['authorization']).toBe('Bearer t2')
  })
})

test('an account that repeats its token discloses it in no reply', async () => {
  await using scene = await startIssuer()
  await using echo = await startFakeAccount((response, request) => {
    const said = { role: 'assistant', content: `You have ${request.headers.authorization}` }
    const choices = [{ index: 0, message: said, finish_reason: 'stop' }]
    return answerJson({ ...dialects.chat.reply, choices })(response, request)
  })
  await using gateway = await createTestGateway({
    plugins: [scene.plugin],
    accounts: [{ id: 'a', provider: 'issued', baseUrl: echo.url, apiKey: 'k', models: ['m'] }],
  })
  const reply = await ask(gateway)
  const text = await reply.text()
  expect([reply.status, text]).toEqual([200, expect.stringContaining('You have Bearer')])
  expect(text).not.toContain('token-number')
})
