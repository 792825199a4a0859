import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { idleMs } from '../../../src/http/listen.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { connectResponses, startStage } from '../../sockets/responses.ts'
import { startNginx } from './nginx.ts'

const configuration = join(import.meta.dirname, '../../../deploy/nginx/dragoman.conf')

interface Asked {
  readonly headers?: Record<string, string>
  readonly body?: object
  readonly method?: string
}

/** Sends a request from an address that is not nginx's. */
function ask(
  url: string,
  { headers = {}, body, method = body ? 'POST' : 'GET' }: Asked,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false })
    const sending = request(url, { method, headers, agent, localAddress: '127.0.0.2' }, resolve)
    sending.on('error', reject).end(body && JSON.stringify(body))
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part as string
  return text
}

const frame = (content: string) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-5',
    choices: [{ index: 0, delta: { content }, finish_reason: content === '' ? 'stop' : null }],
  })}\n\n`

const forged = {
  'x-forwarded-for': '6.6.6.6',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-prefix': '/evil',
  'x-real-ip': '6.6.6.6',
  forwarded: 'for=6.6.6.6;host=evil.example;proto=https',
}

test('behind the shipped nginx frames arrive one by one, and large bodies and headers of sessions pass', async () => {
  const heard = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  await using account = await startFakeAccount(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [index, each] of heard.entries()) {
      response.write(frame(`word-${index}`))
      // Held back, this word would never be heard, and the next one never come.
      await each.promise
    }
    response.end(`${frame('')}data: [DONE]\n\n`)
  })
  await using gateway = await createTestGateway({
    trustedProxies: ['127.0.0.1'],
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  await using nginx = await startNginx(gateway.url, 'shipped')
  const long = 'x'.repeat(1_500_000)
  const response = await ask(`${nginx.url}/v1/chat/completions`, {
    headers: { authorization: `Bearer ${gateway.key}`, session_id: 'session-1', ...forged },
    body: { model: 'gpt-5', stream: true, messages: [{ role: 'user', content: long }] },
  })
  let text = ''
  for await (const part of response.setEncoding('utf8')) {
    text += part as string
    for (const [index, each] of heard.entries()) if (text.includes(`word-${index}`)) each.resolve()
  }
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  const [sent] = account.requests
  expect(sent?.headers['session_id']).toBe('session-1')
  expect(String(sent?.body)).toContain(long)
  expect(JSON.stringify(sent?.headers)).not.toMatch(/forwarded|6\.6\.6\.6|evil/)
})

test.each(['shipped', 'appending'] as const)(
  'a client cannot forge its address through an nginx (%s), nor the shipped one’s host',
  async (kind) => {
    await using gateway = await createTestGateway({ trustedProxies: ['127.0.0.1'] })
    await using nginx = await startNginx(gateway.url, kind)
    const headers = { authorization: `Bearer ${gateway.key}`, ...forged }
    const url = `${nginx.url}/v1/files/upload_url`
    const issued = await textOf(await ask(url, { headers, body: { path: 'a.png' } }))
    if (kind === 'shipped') {
      expect(issued).toContain(`"${nginx.url}/v1/files/stored/`)
      expect(issued).not.toContain('evil')
    }
    const unknown = await ask(`${nginx.url}/v1/unknown`, { headers })
    expect(unknown.statusCode).toBe(404)
    expect(JSON.parse(await textOf(unknown))).toMatchObject({ error: { code: 404 } })
    const direct = await ask(`${gateway.url}/v1/models`, { headers })
    expect((await textOf(direct)).length).toBeGreaterThan(0)
    // The first line is of nginx's start, when the test asked for `/livez`.
    const lines = (await gateway.logged(4)).slice(1)
    // The last request is a stranger's: 127.0.0.2 is no proxy.
    expect(lines.map((line) => line['client_ip'])).toEqual(Array(3).fill('127.0.0.2'))
  },
)

test('the shipped nginx passes the upgrade of WebSockets, and no other one', async () => {
  await using stage = await startStage({ trustedProxies: ['127.0.0.1'] })
  const { gateway } = stage
  await using nginx = await startNginx(gateway.url, 'shipped')
  await using client = await connectResponses({ url: nginx.url, key: gateway.key })
  const events = await client.respond({ input: 'through it' })
  expect(JSON.stringify(events)).toContain('You said: through it')
  const lines = await gateway.logged(3)
  expect(lines.map(({ status }) => status)).toEqual([200, 101, 200])
  expect(lines.map((line) => line['client_ip'])).toEqual(Array(3).fill('127.0.0.1'))
  const answer = await ask(`${nginx.url}/v1/models`, {
    headers: { authorization: `Bearer ${gateway.key}`, connection: 'upgrade', upgrade: 'h2c' },
  })
  expect(answer.statusCode).toBe(200)
  answer.resume()
})

test('the shipped nginx sends no call twice, and asks another gateway if one refuses the connection', async () => {
  const sent: string[] = []
  const breaking = await startFakeAccount((response, { method, url }) => {
    if (method === 'POST') sent.push(url)
    if (method === 'POST' && url === '/break') response.socket?.destroy()
    else response.end('ok')
  })
  await using resources = new AsyncDisposableStack()
  resources.use(breaking)
  const other = resources.use(
    await startFakeAccount((response, { method, url }) => {
      if (method === 'POST') sent.push(url)
      if (method === 'POST' && url === '/break') response.socket?.destroy()
      else response.end('ok')
    }),
  )
  const gone = await startFakeAccount((response) => void response.end())
  await gone[Symbol.asyncDispose]()
  await using nginx = await startNginx([breaking.url, other.url], 'shipped')
  const broken = await ask(`${nginx.url}/break`, { body: { model: 'gpt-5' } })
  expect([broken.statusCode, sent]).toEqual([502, ['/break']])
  await using half = await startNginx([gone.url, other.url], 'shipped')
  for (let count = 0; count < 6; count++) {
    const passed = await ask(`${half.url}/pass`, { body: { count }, headers: forged })
    expect([passed.statusCode, await textOf(passed)]).toEqual([200, 'ok'])
  }
  expect(sent.filter((url) => url === '/pass')).toHaveLength(6)
  // The client's own are replaced or removed.
  const passed = other.requests.filter(({ url }) => url === '/pass')
  for (const { headers } of passed) {
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.2',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(half.url).host,
    })
    expect(headers).not.toHaveProperty('x-forwarded-prefix')
    expect(headers).not.toHaveProperty('forwarded')
  }
})

test('the shipped nginx closes an idle connection before a gateway does, also one that shuts down', async () => {
  const text = await readFile(configuration, 'utf8')
  const [, ofNginx] = /keepalive \d+;\s+keepalive_timeout (\d+)ms;/.exec(text) ?? []
  expect(Number(ofNginx)).toBeGreaterThan(0)
  expect(Number(ofNginx)).toBeLessThanOrEqual(idleMs / 2)
})
