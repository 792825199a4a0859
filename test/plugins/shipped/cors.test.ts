import { expect, test } from 'vitest'

import cors from '../../../plugins/cors.ts'
import ipLists from '../../../plugins/ip-lists.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { askChat, frames, lastFrame, reply, stage } from '../../third-party/chat.ts'

const origin = 'https://app.example.com'
const plugins = [cors({ origins: [origin, 'https://*.trusted.example'] })]

function preflight(url: string, from: string, more: Record<string, string> = {}) {
  const headers = {
    origin: from,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
    ...more,
  }
  return fetch(`${url}/v1/chat/completions`, { method: 'OPTIONS', headers })
}

test('a page asks before its request, without a key, and no account learns of it', async () => {
  await using scene = await stage({ plugins })
  for (const from of [origin, 'https://a.b.trusted.example']) {
    const response = await preflight(scene.gateway.url, from)
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': from,
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
      vary: 'origin',
    })
  }
  expect(scene.account.requests).toEqual([])
})

test.each([
  'https://evil.example',
  'https://app.example.com.evil.example',
  'http://app.example.com',
  'https://app-example.com',
  'https://trusted.example',
  'https://evil/.trusted.example',
  'null',
])('a page of %s may neither ask nor read', async (from) => {
  await using scene = await stage({ plugins })
  const asked = await preflight(scene.gateway.url, from)
  const read = await askChat(scene.gateway, { headers: { origin: from } })
  for (const response of [asked, read]) {
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('vary')).toContain('origin')
    await response.body?.cancel()
  }
  expect(asked.status).toBe(405)
})

test('a page reads replies, streams and errors with all their headers', async () => {
  await using scene = await stage({ plugins })
  const from = { headers: { origin } }
  const whole = await askChat(scene.gateway, from)
  expect(await whole.json()).toEqual(reply)
  const streamed = await askChat(scene.gateway, { ...from, fields: { stream: true } })
  expect(await streamed.text()).toContain(lastFrame)
  const refused = await askChat(scene.gateway, { ...from, key: 'wrong' })
  expect(refused.status).toBe(401)
  for (const response of [whole, streamed, refused]) {
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-expose-headers')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  }
  expect(frames.at(-1)).toBe(lastFrame)
})

test('what a browser would not send does not come back', async () => {
  await using scene = await stage({ plugins })
  const headers = { 'access-control-request-headers': 'a'.repeat(5_000) }
  const response = await preflight(scene.gateway.url, origin, headers)
  expect(response.headers.get('access-control-allow-headers')).toBe('')
})

test.each([{ origins: [] }, { origins: ['app.example.com'] }, { origins: ['https://*'] }])(
  'the options %j are refused',
  (options) => {
    expect(() => cors(options)).toThrow()
  },
)

const broken = definePlugin({
  name: 'broken',
  onExchange() {
    throw new Error('a defect')
  },
})

test.each([
  ['refuses', ipLists({ deny: ['127.0.0.0/8'] }), 403, 'Calls from this address are not allowed.'],
  ['throws', broken, 500, 'internal_error'],
])('a page reads the error of a plugin that %s', async (_, inner, status, message) => {
  await using scene = await stage({ plugins: [...plugins, inner] })
  const response = await askChat(scene.gateway, { headers: { origin } })
  expect(response.status).toBe(status)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(await response.text()).toContain(message)
  const foreign = await askChat(scene.gateway, { headers: { origin: 'https://evil.example' } })
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
  expect(foreign.headers.get('vary')).toBe('origin')
  await scene.gateway.logged(2)
})
