import { expect, test } from 'vitest'

import { dailySteps } from '../../daily-rows.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { startConsole } from './console-build.ts'
import { type Answer, persisted, send } from './send.ts'

const json = { 'content-type': 'application/json' }
const console = { 'x-dragoman-console': '1' }

function signIn(gateway: AdminGateway, headers: Record<string, string> = {}): Promise<Answer> {
  const body = JSON.stringify({ token: gateway.token('admin') })
  return send(gateway.adminUrl, { path: '/session', headers: { ...json, ...headers }, body })
}

function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).split(';')[0]!
}

function ask(gateway: AdminGateway, cookie: string): Promise<Answer> {
  return send(gateway.adminUrl, persisted('{ viewer { id } }', { ...console, cookie }))
}

test('a cookie that an attacker has set before the sign-in is no session after it', async () => {
  await using gateway = await startAdminGateway()
  const chosen = `dragoman_admin=${'a'.repeat(24)}.${'b'.repeat(43)}`
  const begun = await signIn(gateway, { ...console, cookie: chosen })
  expect(begun.status).toBe(201)
  expect(cookieOf(begun)).not.toBe(chosen)
  expect((await ask(gateway, chosen)).status).toBe(401)
  expect((await ask(gateway, cookieOf(begun))).status).toBe(200)
})

test('a second sign-in of a browser ends its first session, and a sign-out ends it for all tabs', async () => {
  await using gateway = await startAdminGateway()
  const first = cookieOf(await signIn(gateway))
  const second = cookieOf(await signIn(gateway, { ...console, cookie: first }))
  expect((await ask(gateway, first)).status).toBe(401)
  expect((await ask(gateway, second)).status).toBe(200)
  const headers = { ...console, cookie: second }
  const left = await send(gateway.adminUrl, { method: 'DELETE', path: '/session', headers })
  expect(left.status).toBe(204)
  expect(String(left.headers['set-cookie'])).toContain('Max-Age=0')
  expect((await ask(gateway, second)).status).toBe(401)
  const call = { path: '/console/call', headers: { ...headers, ...json }, body: '{}' }
  expect((await send(gateway.adminUrl, call)).status).toBe(401)
})

test('no cache between browser and gateway keeps an answer of a session, or serves one for another path', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  const cookie = cookieOf(await signIn(gateway))
  for (const path of [
    '/session',
    '/session?x=.js',
    '/session/x.js',
    '/graphql/x.css',
    '/graphiql',
    '/console/',
    '/console/x.css',
    '/console/accounts/a.js',
    '/',
    '/console/call',
  ]) {
    const answer = await send(gateway.adminUrl, { method: 'GET', path, headers: { cookie } })
    expect([path, answer.headers['cache-control']]).toEqual([path, 'no-store'])
  }
  // A file is the same for every request.
  const asset = '/console/assets/index-abc123.css'
  const plain = await send(gateway.adminUrl, { method: 'GET', path: asset })
  const hostile = await send(gateway.adminUrl, {
    method: 'GET',
    path: `${asset}?x=<script>`,
    headers: { cookie, 'x-forwarded-host': 'evil.example', 'x-original-url': '/session' },
  })
  expect(hostile.text).toBe(plain.text)
  expect(hostile.headers['set-cookie']).toBeUndefined()
})

const rounds = dailySteps(100)

test(`${rounds * 100} sign-ins of one token are bounded, and leave the first session in use`, async () => {
  await using gateway = await startAdminGateway({ uptime: () => 0 })
  const first = cookieOf(await signIn(gateway))
  const statuses = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(gateway)))
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  expect(Object.fromEntries(statuses)).toEqual({ 201: 59, 429: rounds * 100 - 59 })
  expect((await ask(gateway, first)).status).toBe(200)
}, 60_000)
