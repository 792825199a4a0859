import { createHmac } from 'node:crypto'

import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { limitStage } from './stage.ts'

const echo = 'sandbox/echo'

test('a key reads its models, its expiry and what is left of its limits', async () => {
  await using stage = await limitStage({
    key: [
      { kind: 'requests', amount: 5 },
      { kind: 'cost', amount: 12.5, window: 'month' },
      { kind: 'tokens', amount: 100, window: 'day', per: 'endUser' },
    ],
    team: [{ kind: 'concurrent', amount: 3 }],
    all: [{ kind: 'cost', amount: 1_000, window: 'month' }],
  })
  expect((await stage.chat(echo)).status).toBe(200)
  await stage.settled()
  const response = await stage.send('/dragoman/key', undefined)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const status = (await response.json()) as { limits: { spent: string }[] }
  expect(status).toMatchObject({
    id: 'a',
    team: 'red',
    models: ['*'],
    expiresAt: null,
    limits: [
      { subject: 'key', kind: 'requests', window: '1m', amount: 5, remaining: 4 },
      { subject: 'key', kind: 'cost', window: 'month', amount: '12.5', held: '0' },
      { kind: 'tokens', per: 'endUser', amount: 100, spent: null, remaining: null },
      { subject: 'team', kind: 'concurrent', window: null, amount: 3, held: 0, resetsAt: null },
    ],
  })
  expect(status.limits).toHaveLength(4)
  expect(status.limits[1]!.spent).toMatch(/^0\.0000\d+$/)
  const unknown = await fetch(`${stage.gateway.url}/dragoman/key`)
  expect(unknown.status).toBe(401)
})

test('pitfall 9: a reload changes an amount, and what was spent stays', async () => {
  await using stage = await limitStage({ team: [{ kind: 'requests', amount: 1, window: 'day' }] })
  expect((await stage.chat(echo)).status).toBe(200)
  expect((await stage.chat(echo)).status).toBe(402)
  const quotas = (amount: number) => [
    { id: 'red', quotas: [{ kind: 'requests' as const, amount, window: 'day' }] },
  ]
  stage.gateway.reload({ teams: quotas(2) })
  await stage.settled()
  expect((await stage.chat(echo)).status).toBe(200)
  const [limit] = await stage.settled()
  expect(limit).toMatchObject({ amount: 2, spent: 2, remaining: 0 })
})

test('an alert comes once, signed, when a charge brings a budget to a share of it', async () => {
  await using hooks = await startFakeAccount((response) => void response.writeHead(204).end())
  await using stage = await limitStage({
    key: [{ kind: 'requests', amount: 4, window: 'day', alerts: [0.5] }],
    alerts: { webhook: { url: `${hooks.url}/alerts`, secret: 'webhook-secret' } },
  })
  for (let call = 0; call < 4; call++) {
    expect((await stage.chat(echo)).status).toBe(200)
    await stage.settled()
  }
  await until(() => Promise.resolve(hooks.requests.length > 0))
  const [request] = hooks.requests
  const text = request!.body.toString()
  expect(JSON.parse(text)).toMatchObject({
    type: 'limit.alert',
    limit: 'key:a:requests:day',
    subject: { type: 'key', id: 'a' },
    share: 0.5,
    amount: 4,
    spent: 2,
  })
  const signature = String(request!.headers['x-dragoman-signature'])
  const [, time = '', digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  expect(digest).toBe(
    createHmac('sha256', 'webhook-secret').update(`${time}.${text}`).digest('hex'),
  )
  expect(hooks.requests).toHaveLength(1)
  const alerts = stage.gateway.log.filter(
    ({ msg }) => msg === 'a budget has reached a share of its amount',
  )
  expect(alerts).toHaveLength(1)
})

test('a process that ends sends the alerts of its last calls, and those that wait, once more', async () => {
  const answered: number[] = []
  await using hooks = await startFakeAccount(async (response) => {
    const status = answered.length === 0 ? 500 : 204
    await new Promise((resolve) => void setTimeout(resolve, 100))
    answered.push(status)
    response.writeHead(status).end()
  })
  {
    await using stage = await limitStage({
      key: [{ kind: 'requests', amount: 2, window: 'day', alerts: [0.5, 1] }],
      alerts: { webhook: { url: `${hooks.url}/alerts`, secret: 'webhook-secret' } },
    })
    expect((await stage.chat(echo)).status).toBe(200)
    await until(() => Promise.resolve(answered.length === 1))
    expect((await stage.chat(echo)).status).toBe(200)
  }
  expect(answered).toEqual([500, 204, 204])
})
