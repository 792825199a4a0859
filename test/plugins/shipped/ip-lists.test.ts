import OpenAI, { PermissionDeniedError } from 'openai-7'
import { describe, expect, test } from 'vitest'

import ipLists from '../../../plugins/ip-lists.ts'
import { askChat, stage } from '../../third-party/chat.ts'

const trustedProxies = ['127.0.0.1']
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

test('only addresses of the list may call, and only a trusted proxy says which they are', async () => {
  const plugins = [ipLists({ allow: ['203.0.113.0/24', '2001:db8::/32'] })]
  await using scene = await stage({ plugins, trustedProxies })
  const statusOf = async (address: string) => (await askChat(scene.gateway, from(address))).status
  expect(await statusOf('203.0.113.7')).toBe(200)
  expect(await statusOf('2001:db8::7')).toBe(200)
  expect(await statusOf('203.0.114.7')).toBe(403)
  expect(await statusOf('2001:db9::7')).toBe(403)
  expect(scene.account.requests).toHaveLength(2)

  await using direct = await stage({ plugins: [ipLists({ allow: ['203.0.113.0/24'] })] })
  expect((await askChat(direct.gateway, from('203.0.113.7'))).status).toBe(403)
})

test('a denied address gets the error of its SDK before its key is looked at', async () => {
  const plugins = [ipLists({ deny: ['127.0.0.0/8'] })]
  await using scene = await stage({ plugins })
  const client = new OpenAI({ baseURL: `${scene.gateway.url}/v1`, apiKey: 'any', maxRetries: 2 })
  const call = client.chat.completions.create({ model: 'm', messages: [] })
  await expect(call).rejects.toThrow(PermissionDeniedError)
  expect((await fetch(`${scene.gateway.url}/livez`)).status).toBe(200)
  expect(await scene.gateway.logged(2)).toMatchObject([{ status: 403 }, { status: 200 }])
})

test('a key with a network of its own is of no use elsewhere', async () => {
  const plugins = [ipLists({ keys: { test: ['203.0.113.7'] } })]
  await using scene = await stage({ plugins, trustedProxies })
  expect((await askChat(scene.gateway, from('203.0.113.7'))).status).toBe(200)
  expect((await askChat(scene.gateway, from('203.0.113.8'))).status).toBe(403)
  expect(scene.account.requests).toHaveLength(1)
})

test('nor does such a key list models or upload files elsewhere', async () => {
  const plugins = [ipLists({ keys: { test: ['203.0.113.7'] } })]
  await using scene = await stage({ plugins, trustedProxies })
  const { url, key } = scene.gateway
  const ask = (path: string, address: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address },
    })
  const upload = { method: 'POST', body: JSON.stringify({ path: 'a.png' }) }
  for (const [path, init] of [['/v1/models'], ['/v1/files/upload_url', upload]] as const) {
    expect((await ask(path, '203.0.113.7', init)).status, path).toBe(200)
    expect((await ask(path, '203.0.113.8', init)).status, path).toBe(403)
  }
})

describe.each([
  { lists: 'deny', options: { deny: ['10.0.0.0/8'] } },
  { lists: 'allow', options: { allow: ['203.0.113.0/24', '127.0.0.0/8'] } },
  { lists: 'keys', options: { keys: { test: ['203.0.113.0/24', '127.0.0.0/8'] } } },
])('with $lists', ({ options }) => {
  const good = '203.0.113.7'
  test.each([
    { 'x-forwarded-for': 'unknown' },
    { 'x-forwarded-for': '10.1.1.1,' },
    { 'x-forwarded-for': '"10.1.1.1"' },
    { 'x-forwarded-for': ',' },
    { forwarded: 'for=unknown' },
    { forwarded: 'for="10.1.1.1' },
    { forwarded: 'proto=https' },
    // Either header may be the client's own.
    { 'x-forwarded-for': good, forwarded: 'for=10.1.1.1' },
    { 'x-forwarded-for': '10.1.1.1', forwarded: `for=${good}` },
    { 'x-forwarded-for': good, forwarded: 'for=unknown' },
  ])('a client that a proxy names as %j may not call', async (headers) => {
    await using scene = await stage({ plugins: [ipLists(options)], trustedProxies })
    expect((await askChat(scene.gateway, { headers })).status).toBe(403)
    expect(scene.account.requests).toEqual([])
  })

  test.each([
    { 'x-forwarded-for': good },
    { 'x-forwarded-for': `"${good}"` },
    { forwarded: `for="${good}:4711"` },
    { 'x-forwarded-for': good, forwarded: `for="${good}"` },
    // A machine of the proxies' network, such as one that checks the health.
    {},
  ])('a client that a proxy names as %j may call', async (headers) => {
    await using scene = await stage({ plugins: [ipLists(options)], trustedProxies })
    expect((await askChat(scene.gateway, { headers })).status).toBe(200)
  })
})

test.each([
  {},
  { allow: ['300.0.0.1'] },
  { allow: ['10.0.0.0/33'] },
  { deny: ['example.com'] },
  { keys: { me: ['10.0.0.0/8 '] } },
])('the options %j are refused', (options) => {
  expect(() => ipLists(options)).toThrow()
})
