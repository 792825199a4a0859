import { describe, expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { startService } from '../requests/service.ts'

type Hooks = Omit<GatewayPlugin, 'name'>

/** What no hook may return, and some will. */
const nonsense: Record<string, unknown> = {
  nothing: undefined,
  'a string': 'reply',
  'no status': { headers: {}, body: 'x' },
  'status 0': { status: 0, headers: {}, body: 'x' },
  'status 99999': { status: 99_999, headers: {}, body: 'x' },
  'a bad header value': { status: 200, headers: { 'x-a': 'b\r\nx-c: d' }, body: 'x' },
  'a bad header name': { status: 200, headers: { 'x a': 'b' }, body: 'x' },
  'no headers': { status: 200, body: 'x' },
  'an object for a body': { status: 200, headers: {}, body: { a: 1 } },
}

const hookNames = ['onExchange', 'onCall', 'onAttempt'] as const

describe.each(hookNames)('an %s', (hook) => {
  test.each(Object.entries(nonsense))('that returns %s is no crash', async (_, value) => {
    const hooks = { [hook]: () => value } as Hooks
    await using service = await startService({ plugins: [definePlugin({ name: 'bad', ...hooks })] })
    const response = await service.ask('chat', {}, { withinMs: 2_000 })
    const text = await response.text()
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(response.headers.get('x-c')).toBeNull()
    expect(text).not.toMatch(/node_modules|\.ts:/)
    if (text !== 'x') expect(JSON.parse(text)).toMatchObject({ error: { code: 500 } })
    await service.gateway.logged(1)
    expect(service.gateway.gateway.inflight()).toBe(0)
  })
})

test.each(hookNames)('what an %s answers by itself has an id as every answer has', async (hook) => {
  const blocked = { status: 403, headers: { 'x-by': 'waf' }, body: 'blocked' }
  const plugin = definePlugin({ name: 'waf', [hook]: () => blocked })
  await using service = await startService({ plugins: [plugin] })
  const response = await service.ask('chat')
  expect(response.status).toBe(403)
  expect(response.headers.get('x-by')).toBe('waf')
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  expect(await response.text()).toBe('blocked')
  expect(service.upstream.requests).toEqual([])
})
