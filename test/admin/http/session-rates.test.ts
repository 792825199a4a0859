import { expect, test } from 'vitest'

import { adminLimits } from '../../../src/admin/limits.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { persisted, send } from './send.ts'

async function signIn(gateway: AdminGateway): Promise<string> {
  const headers = { authorization: `Bearer ${gateway.token('viewer')}` }
  const { headers: set } = await send(gateway.adminUrl, { path: '/session', headers })
  return String(set['set-cookie']).split(';')[0]!
}

function ask(gateway: AdminGateway, cookie: string, headers: Record<string, string> = {}) {
  const own = { cookie, 'x-dragoman-console': '1', ...headers }
  return send(gateway.adminUrl, persisted('{ viewer { id } }', own))
}

async function statuses(gateway: AdminGateway, cookies: readonly string[], each: number) {
  const asked = cookies.flatMap((cookie) => Array.from({ length: each }, () => cookie))
  const answers = await Promise.all(asked.map((cookie) => ask(gateway, cookie)))
  return answers.filter(({ status }) => status === 200).length
}

test('each session has its rate, so that a tab or a colleague breaks no other page', async () => {
  const { sessionBurst } = adminLimits
  await using gateway = await startAdminGateway({ uptime: () => 0, adminLimits: {} })
  const [one, other] = [await signIn(gateway), await signIn(gateway)]
  expect(await statuses(gateway, [one], sessionBurst + 10)).toBe(sessionBurst)
  const refused = await ask(gateway, one)
  // A page that waits a whole second for 50 ms looks slow.
  expect([
    refused.status,
    refused.headers['retry-after'],
    refused.headers['retry-after-ms'],
  ]).toEqual([429, '1', '50'])
  expect(await statuses(gateway, [other], sessionBurst)).toBe(sessionBurst)
  // A stream is no operation: its page has begun with a query.
  const events = { accept: 'text/event-stream, application/json' }
  expect((await ask(gateway, one, events)).status).toBe(200)
})

test('a user who begins many sessions has the rate of a few', async () => {
  await using gateway = await startAdminGateway({ uptime: () => 0, adminLimits: {} })
  const cookies = await Promise.all(Array.from({ length: 12 }, () => signIn(gateway)))
  const passed = await statuses(gateway, cookies, adminLimits.sessionBurst)
  expect(passed).toBe(2 * adminLimits.sessionsTogether)
})
