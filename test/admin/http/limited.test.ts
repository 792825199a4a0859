import { expect, test } from 'vitest'

import { type AuditRecord, createAuditLog } from '../../../src/audit/log.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { operation, send } from './send.ts'

/** The records of addresses that had to wait. */
async function limits(gateway: AdminGateway): Promise<AuditRecord[]> {
  const all = await createAuditLog({ store: gateway.running.store }).list({ limit: 100 })
  return all.filter(({ action }) => action === 'address.limit')
}

type Headers = Readonly<Record<string, string>>

/** Sends a wrong credential to a door. Returns the status. */
const doors = {
  'a sign-in': ({ adminUrl }: AdminGateway, headers: Headers = {}) =>
    send(adminUrl, {
      path: '/session',
      headers: { 'content-type': 'application/json', 'user-agent': 'guesser', ...headers },
      body: JSON.stringify({ token: 'dga_guess' }),
    }),
  'the API': ({ adminUrl }: AdminGateway, headers: Headers = {}) => {
    const own = { authorization: 'Bearer dga_guess', 'user-agent': 'guesser', ...headers }
    return send(adminUrl, operation('{ viewer { id } }', own))
  },
  'a page': ({ adminUrl }: AdminGateway, headers: Headers = {}) => {
    const cookie = `dragoman_admin=${'0'.repeat(24)}.${'x'.repeat(43)}`
    const own = { cookie, 'user-agent': 'guesser', ...headers }
    return send(adminUrl, { method: 'GET', path: '/graphiql', headers: own })
  },
} as const

test.for(Object.entries(doors))(
  'an address that has to wait at %s is in the audit log once a minute, however many it sends',
  async ([, guess]) => {
    await using gateway = await startAdminGateway({ uptime: () => 0 })
    let refused = 0
    for (let sent = 0; sent < 40; sent++) if ((await guess(gateway)).status === 429) refused++
    expect(refused).toBeGreaterThan(10)
    expect(await limits(gateway)).toMatchObject([
      {
        address: '127.0.0.1',
        agent: 'guesser',
        target: { type: 'address', id: '127.0.0.1' },
        result: 'REFUSED',
        message: expect.stringMatching(/^Too many/) as string,
      },
    ])
    await gateway.services.deniedActs.close()
    expect(await limits(gateway)).toMatchObject([{ count: refused }])
  },
)

test('many addresses that have to wait fill no audit log, and a network is one address', async () => {
  await using gateway = await startAdminGateway({
    uptime: () => 0,
    admin: { trustedProxies: ['127.0.0.0/8'] },
    adminLimits: { attemptsPerMinute: 1 },
  })
  const guess = (address: string) => doors['a sign-in'](gateway, { 'x-forwarded-for': address })
  for (let host = 1; host <= 3; host++) await guess(`2001:db8:0:1::${host}`)
  expect(await limits(gateway)).toMatchObject([{ target: { id: '2001:db8:0:1' } }])
  for (let host = 1; host <= 30; host++) {
    for (let sent = 0; sent < 2; sent++) await guess(`10.0.0.${host}`)
  }
  const all = await limits(gateway)
  expect(all).toHaveLength(11)
  expect(all[0]).toMatchObject({ address: '', target: { type: 'refusals', id: 'others' } })
})

test('a token that begins too many sessions is in the audit log', async () => {
  await using gateway = await startAdminGateway({
    uptime: () => 0,
    adminLimits: { sessionsPerMinute: 1 },
  })
  const signIn = () =>
    send(gateway.adminUrl, {
      path: '/session',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: gateway.token('viewer') }),
    })
  expect([(await signIn()).status, (await signIn()).status]).toEqual([201, 429])
  const [last] = await createAuditLog({ store: gateway.running.store }).list({ limit: 1 })
  expect(last).toMatchObject({
    action: 'session.begin',
    target: { type: 'session', id: 'viewer' },
    result: 'REFUSED',
    message: 'Too many sessions begin.',
  })
})
