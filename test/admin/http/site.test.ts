import type { IncomingMessage } from 'node:http'

import { expect, test } from 'vitest'

import { isLocal } from '../../../src/admin/http/site.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { operation, send } from './send.ts'

const viewer = '{ viewer { role } }'

test('a name that an attacker points to the admin address is not answered', async () => {
  await using gateway = await startAdminGateway()
  const authorization = `Bearer ${gateway.token('admin')}`
  const { port } = new URL(gateway.adminUrl)
  const ask = (host: string) => send(gateway.adminUrl, operation(viewer, { authorization, host }))
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    '10.0.0.9',
    '0.0.0.0',
  ]) {
    const { status, text } = await ask(host)
    expect([host, [400, 421].includes(status)]).toEqual([host, true])
    expect(text).not.toContain('viewer')
  }
  for (const host of [`127.0.0.1:${port}`, 'localhost', 'LOCALHOST.', '[::1]:1']) {
    expect([host, (await ask(host)).status]).toEqual([host, 200])
  }
  const other = await send(gateway.adminUrl, {
    method: 'GET',
    path: '/metrics',
    headers: { host: 'evil.example' },
  })
  expect([other.status, other.code]).toEqual([421, 'FOREIGN_HOST'])
})

test('the target of a request is a path', async () => {
  await using gateway = await startAdminGateway()
  const authorization = `Bearer ${gateway.token('admin')}`
  for (const path of [`${gateway.adminUrl}/graphql`, 'http://evil.example/graphql']) {
    const answer = await send(gateway.adminUrl, { ...operation(viewer, { authorization }), path })
    expect(answer.status).toBe(421)
  }
})

test('configured hosts are answered, with the port that they name', async () => {
  await using gateway = await startAdminGateway({
    admin: { allowedHosts: ['admin.example', 'other.example:8443'] },
  })
  const authorization = `Bearer ${gateway.token('admin')}`
  const ask = async (host: string) =>
    (await send(gateway.adminUrl, operation(viewer, { authorization, host }))).status
  expect(await ask('admin.example')).toBe(200)
  expect(await ask('Admin.Example:9000')).toBe(200)
  expect(await ask('other.example:8443')).toBe(200)
  expect(await ask('other.example')).toBe(421)
})

test('probes answer whatever host they name', async () => {
  await using gateway = await startAdminGateway()
  const headers = { host: 'pod.internal' }
  const answer = await send(gateway.adminUrl, { method: 'GET', path: '/livez', headers })
  // The gateway of the tests has no probes.
  expect(answer.status).toBe(404)
  const verbose = await send(gateway.adminUrl, { method: 'GET', path: '/readyz?verbose', headers })
  expect(verbose.status).toBe(421)
})

test('details of readiness need a token where others than users of this machine may ask', async () => {
  const path = '/readyz?verbose'
  const get = (gateway: AdminGateway, headers = {}, asked = path) =>
    send(gateway.adminUrl, { method: 'GET', path: asked, headers })
  await using gateway = await startAdminGateway()
  const authorization = `Bearer ${gateway.token('viewer')}`
  // The gateway of the tests has no probes.
  expect((await get(gateway)).status).toBe(404)
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    const answer = await get(gateway, { [name]: '10.0.0.7' })
    expect([name, answer.status, answer.code]).toEqual([name, 401, 'UNAUTHENTICATED'])
    expect((await get(gateway, { [name]: '10.0.0.7', authorization })).status).toBe(404)
    expect((await get(gateway, { [name]: '10.0.0.7' }, '/readyz')).status).toBe(404)
  }
  for (const admin of [{ allowedHosts: ['admin.example'] }, { trustedProxies: ['127.0.0.1'] }]) {
    await using proxied = await startAdminGateway({ admin })
    const token = `Bearer ${proxied.token('viewer')}`
    expect((await get(proxied)).status).toBe(401)
    expect(
      (await get(proxied, { authorization: `Bearer ${gateway.token('viewer')}` })).status,
    ).toBe(401)
    expect((await get(proxied, { authorization: token })).status).toBe(404)
    expect((await get(proxied, {}, '/readyz')).status).toBe(404)
  }
})

test('only connections within this machine are local', () => {
  const from = (remoteAddress: string, localAddress: string) =>
    isLocal({ socket: { remoteAddress, localAddress }, headers: {} } as IncomingMessage, {
      trustedProxies: [],
      allowedHosts: [],
    })
  expect(from('127.0.0.1', '127.0.0.1')).toBe(true)
  expect(from('::ffff:127.0.0.9', '::ffff:127.0.0.1')).toBe(true)
  expect(from('::1', '::1')).toBe(true)
  expect(from('10.0.0.7', '10.0.0.1')).toBe(false)
  expect(from('10.0.0.1', '10.0.0.1')).toBe(false)
  expect(from('127.0.0.1', '10.0.0.1')).toBe(false)
  expect(from('10.0.0.7', '127.0.0.1')).toBe(false)
})

test('the page of another origin is refused, and gets no permission to read', async () => {
  await using gateway = await startAdminGateway({ admin: { allowedHosts: ['admin.example'] } })
  const authorization = `Bearer ${gateway.token('admin')}`
  const ask = (headers: Record<string, string>) =>
    send(gateway.adminUrl, operation(viewer, { authorization, ...headers }))
  const { host } = new URL(gateway.adminUrl)
  for (const origin of [
    'http://evil.example',
    'null',
    `http://${host}.evil.example`,
    'http://[',
    '',
  ]) {
    const { status, headers } = await ask({ origin })
    expect([origin, status]).toEqual([origin, 403])
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
  expect((await ask({ origin: `http://${host}` })).status).toBe(200)
  expect((await ask({ origin: 'https://admin.example', host: 'admin.example:443' })).status).toBe(
    200,
  )
  expect((await ask({ origin: 'https://admin.example:444', host: 'admin.example' })).status).toBe(
    403,
  )

  const preflight = await send(gateway.adminUrl, {
    method: 'OPTIONS',
    headers: {
      origin: `http://${host}`,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-dragoman-console',
    },
  })
  expect(preflight.status).toBe(405)
  expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-'))).toEqual([])
})

test('every answer says to browsers that it belongs to no other site', async () => {
  await using gateway = await startAdminGateway()
  const authorization = `Bearer ${gateway.token('admin')}`
  const answers = await Promise.all([
    send(gateway.adminUrl, operation(viewer, { authorization })),
    send(gateway.adminUrl, operation(viewer, {})),
    send(gateway.adminUrl, { method: 'GET', path: '/session' }),
    send(gateway.adminUrl, { method: 'GET', path: '/graphiql' }),
    send(gateway.adminUrl, { method: 'GET', path: '/livez' }),
    send(gateway.adminUrl, operation(viewer, { host: 'evil.example' })),
  ])
  for (const { headers } of answers) {
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['x-frame-options']).toBe('DENY')
  }
})
