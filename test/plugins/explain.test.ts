import { expect, test } from 'vitest'

import { explain } from '../../plugins/explain.ts'
import type { Received } from '../../src/contract/exchange.ts'
import type { Reply } from '../../src/contract/outcome.ts'

const reply: Reply = { status: 200, headers: { 'x-request-id': 'req_1' }, body: '{}' }

function exchangeWith(headers: object, routing?: object, account?: string): Received {
  return {
    request: { headers },
    caller: { keyId: 'test', mayUse: () => true, mayExplain: true },
    progress: {
      routing,
      attempts: 1,
      former: [],
      left: [],
      attempt: account && { candidate: { account: { id: account }, native: true } },
    },
  } as unknown as Received
}

const asked = { 'x-dragoman-explain': '1' }

async function routeFor(exchange: Received): Promise<string | undefined> {
  const told = await explain().onExchange?.({ exchange, next: () => Promise.resolve(reply) })
  return told?.headers['x-dragoman-route']
}

test('a call that is not to be explained is handed on untouched', () => {
  const answered = Promise.resolve(reply)

  const told = explain().onExchange?.({ exchange: exchangeWith({}), next: () => answered })

  expect(told).toBe(answered)
})

test('names that no header can carry are written as JSON escapes', async () => {
  const ranking = { decidedBy: 'vorzüge', excluded: [] }

  const route = await routeFor(exchangeWith(asked, ranking, 'zürich-😀\n'))

  expect(route).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(route ?? '')).toMatchObject({ rule: 'vorzüge', account: 'zürich-😀\n' })
})

test('of very many accounts only the first are listed', async () => {
  const excluded = Array.from({ length: 1_000 }, (_, index) => ({
    account: `account-${index}`,
    by: 'account-health',
    reason: 'circuit open: 5 of 5 calls got 500',
    untilMs: 1,
  }))

  const route = await routeFor(exchangeWith(asked, { decidedBy: 'r', excluded }))

  const { excluded: listed, omitted } = JSON.parse(route ?? '') as Record<string, unknown[]>
  expect(listed).toHaveLength(20)
  expect(listed?.[0]).toEqual({
    account: 'account-0',
    by: 'account-health',
    reason: 'circuit open: 5 of 5 calls got 500',
  })
  expect(omitted).toBe(980)
})
