import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { accountKey, passthroughStage } from './stage.ts'

const path = '/v1/vector_stores'
const MB = 1024 * 1024

test('large bodies pass both ways, and little of them is in memory', async () => {
  const piece = randomBytes(MB)
  await using stage = await passthroughStage((response, { body }) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    response.end(body)
  })
  const pieces = 16
  const stream = Readable.from(Array.from({ length: pieces }, () => piece))
  const response = await stage.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Readable.toWeb(stream) as BodyInit,
    duplex: 'half',
  } as RequestInit)
  let most = 0
  const received = createHash('sha256')
  for await (const chunk of response.body!) {
    received.update(chunk)
    most = Math.max(most, stage.gateway.gateway.held())
  }
  const sent = createHash('sha256')
  for (let index = 0; index < pieces; index++) sent.update(piece)
  expect(received.digest('hex')).toBe(sent.digest('hex'))
  expect(most).toBeLessThan(4 * MB)
  await until(() => stage.gateway.gateway.spooled() === 0)
})

test('an upload that breaks off leaves nothing behind, and reaches no account', async () => {
  await using stage = await passthroughStage()
  const { hostname, port } = new URL(stage.gateway.url)
  const socket = connect(Number(port), hostname)
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${stage.gateway.key}`,
    'content-type: application/octet-stream',
    'content-length: 8000000',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(3 * MB))
  const { gateway } = stage.gateway
  await until(() => gateway.spooled() > 0)
  socket.destroy()
  await until(() => gateway.spooled() === 0 && gateway.inflight() === 0)
  expect(stage.account.requests).toEqual([])
})

test('a body above the limit of forms is too large', async () => {
  await using stage = await passthroughStage(undefined, { limits: { formBytes: MB } })
  const body = Buffer.alloc(MB + 1)
  expect((await stage.ask(path, { method: 'POST', body })).status).toBe(413)
  const stream = Readable.toWeb(Readable.from([body])) as BodyInit
  const chunked = { method: 'POST', body: stream, duplex: 'half' } as RequestInit
  expect((await stage.ask(path, chunked)).status).toBe(413)
  expect(stage.account.requests).toEqual([])
})

test('events pass when they come', async () => {
  let end = () => {}
  await using stage = await passthroughStage((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"n":1}\n\n')
    end = () => response.end('data: [DONE]\n\n')
  })
  const response = await stage.ask(path, { headers: { accept: 'text/event-stream' } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toBe('data: {"n":1}\n\n')
  end()
  expect((await reader.read()).value).toBe('data: [DONE]\n\n')
  expect(stage.account.requests[0]?.headers.accept).toBe('text/event-stream')
})

test('a reply that is cut off is no success', async () => {
  await using stage = await passthroughStage((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":')
    setTimeout(() => response.destroy(), 50)
  })
  const response = await stage.ask(path)
  await expect(response.text()).rejects.toThrow()
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'broken' })
})

test.each<[string, Answer, number, string]>([
  ['201', (response) => void response.writeHead(201).end('made'), 201, 'made'],
  ['204', (response) => void response.writeHead(204).end(), 204, ''],
  ['an empty 200', (response) => void response.writeHead(200).end(), 200, ''],
])('a reply with %s passes', async (_, answer, status, text) => {
  await using stage = await passthroughStage(answer)
  const response = await stage.ask(path, { method: 'DELETE' })
  expect([response.status, await response.text()]).toEqual([status, text])
})

test('a HEAD has the headers of a GET, and a range a part', async () => {
  await using stage = await passthroughStage((response, { headers }) => {
    if (headers.range) response.writeHead(206, { 'content-range': 'bytes 0-1/5' }).end('he')
    else
      response.writeHead(200, { 'content-length': '5', 'content-type': 'text/plain' }).end('hello')
  })
  const head = await stage.ask(path, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '5'])
  const part = await stage.ask(path, { headers: { range: 'bytes=0-1' } })
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    'bytes 0-1/5',
    'he',
  ])
})

test('a page of an account runs in no browser, and sets no cookie', async () => {
  await using stage = await passthroughStage((response) => {
    const headers = { 'content-type': 'text/html', 'set-cookie': 'a=1', 'x-internal': '1' }
    response.writeHead(200, headers).end('<script>')
  })
  const { headers } = await stage.ask(path)
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect([headers.get('set-cookie'), headers.get('x-internal')]).toEqual([null, null])
})

test.each<[string, string]>([
  ['as it is', 'key: KEY!'],
  ['several times, and its beginning', 'KEYKEY sk KEYKE'],
])('the key of an account does not pass in a reply: %s', async (_, text) => {
  const said = text.replaceAll('KEY', accountKey)
  await using stage = await passthroughStage(async (response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': said.length })
    // In pieces that each have a part of it.
    for (const piece of said.match(/.{1,10}/g)!) {
      response.write(piece)
      await sleep(2)
    }
    response.end()
  })
  const response = await stage.ask(path)
  const masked = said.replaceAll(accountKey, '*'.repeat(accountKey.length))
  expect(await response.text()).toBe(masked)
})

describe('errors', () => {
  test('of an account have its status and the envelope of the client, without secrets', async () => {
    const error = { message: `${accountKey} may not`, type: 'x', code: null }
    await using stage = await passthroughStage(answerJson({ error }, { status: 422 }))
    const response = await stage.ask(path)
    const text = await response.text()
    expect(response.status).toBe(422)
    expect(JSON.parse(text)).toMatchObject({ error: { message: '[secret] may not' } })
    expect(text).not.toContain('canary')
  })

  test('a redirect is not followed, and its place is no client’s business', async () => {
    await using stage = await passthroughStage(
      (response) => void response.writeHead(302, { location: 'http://internal.example' }).end(),
    )
    const response = await stage.ask(path, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([502, null])
    expect(stage.account.requests).toHaveLength(1)
  })

  test('a client of Anthropic has its own envelope, and its account its own headers', async () => {
    const error = { type: 'error', error: { type: 'not_found_error', message: 'no batch' } }
    await using stage = await passthroughStage(answerJson(error, { status: 404 }), {
      account: { provider: 'anthropic' },
      route: { path: '/v1/skills/*' },
    })
    const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': stage.gateway.key }
    const response = await fetch(`${stage.gateway.url}/v1/skills/s_1`, { headers })
    expect([response.status, await response.json()]).toMatchObject([404, { type: 'error' }])
    expect(stage.account.requests[0]).toMatchObject({
      url: '/v1/skills/s_1',
      headers: { 'x-api-key': accountKey, 'anthropic-version': '2023-06-01' },
    })
  })
})

describe('a pool', () => {
  async function poolOf(first: Answer | undefined, method: string) {
    await using opening = new AsyncDisposableStack()
    const one = opening.use(await startFakeAccount(first ?? (() => {})))
    const two = opening.use(await startFakeAccount(answerJson({ from: 'b' })))
    if (!first) await one[Symbol.asyncDispose]()
    const accounts = [one, two].map(({ url }, index) => ({
      id: 'ab'[index]!,
      priority: index,
      provider: 'openai',
      baseUrl: `${url}/v1`,
      models: ['m'],
    }))
    const gateway = opening.use(
      await createTestGateway({ accounts, passthrough: [{ path, pool: ['a', 'b'] }] }),
    )
    const response = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${gateway.key}` },
      ...(method === 'POST' && { body: 'x' }),
    })
    await response.text()
    return [response.status, one.requests.length, two.requests.length]
  }

  test.each<[string, Answer | undefined, string, number[]]>([
    ['a server error', answerJson({}, { status: 500 }), 'POST', [200, 1, 1]],
    ['no connection', undefined, 'POST', [200, 0, 1]],
    ['an error of the request', answerJson({}, { status: 400 }), 'POST', [400, 1, 0]],
    ['a reset, after which work may have begun', (r) => void r.destroy(), 'POST', [502, 1, 0]],
  ])('%s decides about the next account', async (_, answer, method, expected) => {
    expect(await poolOf(answer, method)).toEqual(expected)
  })
})

test('an account that is not there is an error, and no other one serves', async () => {
  await using stage = await passthroughStage(undefined, { route: { account: 'gone' } })
  expect((await stage.ask(path)).status).toBe(503)
  expect(stage.account.requests).toEqual([])
})

test('a failing path takes no model away', async () => {
  await using stage = await passthroughStage((response, { url }) => {
    const isPassed = url.startsWith(path)
    response.writeHead(isPassed ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices: [choice] }))
  })
  for (let count = 0; count < 8; count++) await (await stage.ask(path)).text()
  const response = await stage.ask('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(response.status).toBe(200)
})

describe('a path that wants another key takes no model away', () => {
  const chat = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  }

  test.each([
    ['a key of an administrator', 401, { message: 'This endpoint requires an admin key.' }],
    ['a paid plan', 402, { message: 'Upgrade to use this endpoint.' }],
    ['a quota', 429, { message: 'No more of these.', code: 'insufficient_quota' }],
  ])('%s', async (_, status, error) => {
    await using stage = await passthroughStage((response, { url }) => {
      const isPassed = url.startsWith(path)
      response.writeHead(isPassed ? status : 200, { 'content-type': 'application/json' })
      const completion = { id: 'c', object: 'chat.completion', choices: [choice] }
      response.end(JSON.stringify(isPassed ? { error } : completion))
    })
    for (let count = 0; count < 4; count++) {
      const refused = await stage.ask(path)
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(refused.status).not.toBe(401)
      await refused.text()
    }
    expect((await stage.ask('/v1/chat/completions', chat)).status).toBe(200)
  })

  test('a key that a check finds refused keeps the account from all calls', async () => {
    await using stage = await passthroughStage(answerJson({ error: {} }, { status: 401 }))
    await (await stage.ask(path)).text()
    expect(stage.account.requests.map(({ url }) => url)).toEqual([path, '/v1/models'])
    expect((await stage.ask('/v1/chat/completions', chat)).status).toBe(503)
    expect(stage.account.requests).toHaveLength(2)
  })
})

const choice = { index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }
