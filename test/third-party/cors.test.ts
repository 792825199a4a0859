import { expect, test } from 'vitest'

import { until } from '../../src/testing/index.ts'
import { askChat, frames, lastFrame, readUpTo, reply, stage, textFrame } from './chat.ts'
import { cors } from './cors.ts'

const origin = 'https://app.example.com'
const plugins = [cors({ origins: [origin] })]
const fromPage = { headers: { origin } }

test('a page may ask first what it may send', async () => {
  await using scene = await stage({ plugins })
  const response = await fetch(`${scene.gateway.url}/v1/chat/completions`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  expect(response.status).toBe(204)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization,content-type',
  })
  expect(scene.account.requests).toEqual([])
})

test('a page may read an answer', async () => {
  await using scene = await stage({ plugins })
  const response = await askChat(scene.gateway, fromPage)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  expect(await response.json()).toEqual(reply)
})

test('a page may read an error, and learn its id', async () => {
  await using scene = await stage({ plugins })
  const refused = await askChat(scene.gateway, { ...fromPage, key: 'wrong' })
  const nowhere = await fetch(`${scene.gateway.url}/nowhere`, { headers: { origin } })
  for (const [response, status] of [
    [refused, 401],
    [nowhere, 404],
  ] as const) {
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(await response.json()).toMatchObject({ error: { code: status } })
  }
})

test('a page of another origin may not', async () => {
  await using scene = await stage({ plugins })
  const response = await askChat(scene.gateway, { headers: { origin: 'https://evil.example' } })
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(response.headers.get('vary')).toContain('origin')
  expect(await response.json()).toEqual(reply)
})

test('a page gets a stream as it comes', async () => {
  const last = Promise.withResolvers<void>()
  await using scene = await stage({ plugins }, async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frames.slice(0, -1).join(''))
    await last.promise
    response.end(lastFrame)
  })
  const response = await askChat(scene.gateway, {
    ...fromPage,
    fields: { stream: true, stream_options: { include_usage: true } },
  })
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const reader = response.body!.getReader()
  const begun = await readUpTo(reader, textFrame)
  last.resolve()
  const rest = await readUpTo(reader, lastFrame)
  expect(begun + rest).toBe(frames.join(''))
  expect((await reader.read()).done).toBe(true)
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
})

test('an account is let go when the page is closed', async () => {
  await using scene = await stage({ plugins }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(textFrame)
  })
  const closing = new AbortController()
  const { signal } = closing
  const response = await askChat(scene.gateway, {
    ...fromPage,
    signal,
    fields: { stream: true, stream_options: { include_usage: true } },
  })
  await readUpTo(response.body!.getReader(), textFrame)
  closing.abort()
  await until(() => scene.account.requests[0]!.aborted)
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'client_gone' })
})
