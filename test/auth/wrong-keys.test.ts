import { expect, test } from 'vitest'

import { createGuesses } from '../../src/exchange/identify.ts'
import { dialectNames, dialects } from '../requests/dialects.ts'
import { startService, type Service } from '../requests/service.ts'

const keys = [{ id: 'own', secret: 'own-secret' }]
const permitted = 60

async function guess(service: Service, times: number, from?: string): Promise<number[]> {
  const headers = { authorization: 'Bearer guess', ...(from && { 'x-forwarded-for': from }) }
  const replies = await Promise.all(
    Array.from({ length: times }, () => service.ask('chat', {}, { headers })),
  )
  return replies.map(({ status }) => status)
}

test.each(dialectNames)(
  'an address with too many wrong keys is told to wait, and its valid key passes: %s',
  async (dialect) => {
    await using service = await startService({ keys })
    expect(new Set(await guess(service, permitted))).toEqual(new Set([401]))
    const { credential } = dialects[dialect]
    const wrong = await service.ask(dialect, {}, { headers: credential('guess') })
    expect(wrong.status).toBe(429)
    expect(Number(wrong.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(wrong.headers.get('x-should-retry')).toBe('false')
    expect(JSON.stringify(await wrong.json())).toContain('too many such keys')
    const valid = await service.ask(dialect, {}, { headers: credential('own-secret') })
    expect(valid.status).toBe(200)
  },
)

test('a request without a key is no guess', async () => {
  await using service = await startService({ keys })
  await guess(service, permitted)
  const keyless = await service.ask('chat', {}, { headers: { authorization: undefined } })
  expect(keyless.status).toBe(401)
})

test('clients behind a trusted proxy are counted each, and no other client names an address', async () => {
  for (const trustedProxies of [['loopback'], []]) {
    await using service = await startService({ keys, trustedProxies })
    await guess(service, permitted, '203.0.113.7')
    expect(await guess(service, 1, '203.0.113.7')).toEqual([429])
    const isTrusted = trustedProxies.length > 0
    expect(await guess(service, 1, '203.0.113.8')).toEqual([isTrusted ? 401 : 429])
  }
})

test('a wrong key is permitted again after a while', () => {
  let now = 0
  const guesses = createGuesses(() => now)
  for (let at = 0; at < permitted; at++) expect(guesses.take('a')).toBe(0)
  expect(guesses.take('a')).toBeGreaterThan(0)
  expect(guesses.take('b')).toBe(0)
  now += 60_000 / permitted
  expect(guesses.take('a')).toBe(0)
})
