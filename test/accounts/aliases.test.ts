import { expect, test } from 'vitest'

import type { TestGatewayOptions } from '../../src/testing/gateway.ts'
import { accountsAt, type Service, startService } from '../requests/service.ts'

type Aliases = NonNullable<TestGatewayOptions['aliases']>

async function start(aliases: Aliases, models: string[] | Record<string, string>) {
  const service = await startService()
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, models), aliases })
  return service
}

/** What the upstream is asked for when a client asks for a model. */
async function servedAs(service: Service, model: string): Promise<unknown> {
  const response = await service.ask('chat', { model })
  if (!response.ok) return response.status
  return (JSON.parse(service.received().body.toString()) as { model: string }).model
}

test('an alias is another name of a model', async () => {
  await using service = await start({ quick: 'gpt-small' }, ['gpt-small'])
  expect(await servedAs(service, 'quick')).toBe('gpt-small')
  expect(await servedAs(service, 'gpt-small')).toBe('gpt-small')
  expect(await servedAs(service, 'Quick')).toBe(404)
})

test('an alias is resolved before a model is renamed', async () => {
  await using service = await start({ quick: 'acme/small' }, { 'acme/*': 'tuned-*', quick: 'no' })
  expect(await servedAs(service, 'quick')).toBe('tuned-small')
})

test('an alias may name another alias', async () => {
  await using service = await start({ best: 'quick', quick: 'gpt-small' }, ['gpt-small'])
  expect(await servedAs(service, 'best')).toBe('gpt-small')
})

test('and does so where accounts take any name', async () => {
  await using service = await start({ best: 'quick', quick: 'gpt-small' }, ['*'])
  expect(await servedAs(service, 'best')).toBe('gpt-small')
})

test('an alias of nothing is nothing', async () => {
  await using service = await start({ dead: 'nobody-has-this' }, ['gpt-small'])
  expect(await servedAs(service, 'dead')).toBe(404)
  const headers = { authorization: `Bearer ${service.gateway.key}` }
  const list = await (await fetch(`${service.gateway.url}/v1/models`, { headers })).text()
  expect(list).not.toContain('dead')
})

test('a key that may use an alias of an alias may use it, and sees it', async () => {
  const keys = [{ id: 'k', secret: 'test-secret', models: ['gpt-*'] }]
  await using service = await startService({ keys })
  const aliases = { best: 'quick', quick: 'gpt-small', other: 'claude' }
  const accounts = accountsAt(service.upstream.url, ['gpt-small', 'claude'])
  service.gateway.reload({ accounts, aliases })
  expect(await servedAs(service, 'best')).toBe('gpt-small')
  expect(await servedAs(service, 'other')).toBe(404)
  const headers = { authorization: `Bearer ${service.gateway.key}` }
  const response = await fetch(`${service.gateway.url}/v1/models`, { headers })
  const { data } = (await response.json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual(['best', 'gpt-small', 'quick'])
})

test('a model whose only account is disabled cannot be had just now, and is not listed', async () => {
  await using service = await startService()
  const accounts = accountsAt(service.upstream.url, ['only-here'])
  service.gateway.reload({ accounts: accounts.map((one) => ({ ...one, enabled: false })) })
  expect(await servedAs(service, 'only-here')).toBe(503)
  const headers = { authorization: `Bearer ${service.gateway.key}` }
  const response = await fetch(`${service.gateway.url}/v1/models`, { headers })
  const { data } = (await response.json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).not.toContain('only-here')
})

test('what a reload changes holds for the next request', async () => {
  await using service = await start({ quick: 'one' }, ['one', 'two'])
  expect(await servedAs(service, 'quick')).toBe('one')
  const accounts = accountsAt(service.upstream.url, ['one', 'two'])
  service.gateway.reload({ accounts, aliases: { quick: 'two' } })
  expect(await servedAs(service, 'quick')).toBe('two')
  service.gateway.reload({ accounts, aliases: {} })
  expect(await servedAs(service, 'quick')).toBe(404)
})

test('an alias with settings is another name like any other', async () => {
  const aliases = { best: 'quick', quick: { model: 'gpt-small' } }
  await using service = await start(aliases, ['gpt-small'])
  expect(await servedAs(service, 'best')).toBe('gpt-small')
})

test('of several aliases on the way to a model, the first with a `replyModel` names the reply', async () => {
  const quick = { model: 'gpt-small', replyModel: 'client' } as const
  const aliases = {
    best: 'quick',
    quick,
    plain: { model: 'quick', replyModel: 'account' },
  } as const
  await using service = await start(aliases, { 'gpt-small': 'm' })
  const namedFor = async (model: string) =>
    ((await (await service.ask('chat', { model })).json()) as { model: string }).model
  expect(await Promise.all(['best', 'quick', 'plain', 'gpt-small'].map(namedFor))).toEqual([
    'best',
    'quick',
    'm',
    'm',
  ])
})
