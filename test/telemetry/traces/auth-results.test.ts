import { describe, expect, test, vi } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { createKey, revokeKey, rotateKey } from '../../../src/stores/keys.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { type TracedStage, serverOf, tracedStage } from './stage.ts'
import { spanOf } from './whole.ts'

const path = '/v1/chat/completions'
const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }

const keys = [
  { id: 'good', secret: 'good-secret' },
  { id: 'old', secret: 'old-secret', expiresAt: '2020-01-01T00:00:00Z' },
  { id: 'off', secret: 'off-secret', disabled: true },
  { id: 'narrow', secret: 'narrow-secret', models: ['sandbox/words=2', 'quick'] },
]

const aliases = { quick: 'sandbox/echo', hidden: 'sandbox/echo' }

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** All that a client sees of an answer, but for what differs from request to request. */
async function seen(reply: Response) {
  const own = /^(?:date|x-request-id|x-trace-id)$/
  const { error } = (await reply.json()) as { error: unknown }
  const headers = [...reply.headers].filter(([name]) => !own.test(name))
  return { status: reply.status, headers, error }
}

/** What the spans of an answer say of the key. */
async function said(stage: TracedStage, reply: Response) {
  const spans = await stage.traceOf(reply)
  const { attributes } = spanOf(spans, 'dragoman.auth')
  return {
    result: attributes['dragoman.auth.result'],
    key: attributes['dragoman.key.id'],
    keyOfExchange: serverOf(spans).attributes['dragoman.key.id'],
    status: serverOf(spans).status,
  }
}

describe('the span of the authentication', () => {
  test('knows an expired and a disabled key, which look like unknown ones to their clients', async () => {
    await using stage = await tracedStage({ keys })
    const unknown = await stage.ask(path, body, bearer('no-such-secret'))
    const old = await stage.ask(path, body, bearer('old-secret'))
    const off = await stage.ask(path, body, bearer('off-secret'))
    const answer = await seen(unknown)
    expect(answer.status).toBe(401)
    expect([await seen(old), await seen(off)]).toEqual([answer, answer])
    const lines = await stage.gateway.logged(3)
    expect(lines.map((line) => [line['key_id'], line['key_refused']])).toEqual([
      [undefined, undefined],
      ['old', 'expired'],
      ['off', 'disabled'],
    ])
    const key = (id?: string) => ({ key: id, keyOfExchange: id, status: 'unset' })
    expect(await said(stage, unknown)).toEqual({ result: 'invalid', ...key() })
    expect(await said(stage, old)).toEqual({ result: 'expired', ...key('old') })
    expect(await said(stage, off)).toEqual({ result: 'disabled', ...key('off') })
  })

  test('knows the former secret of a rotated key, and a revoked key', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const store = openMemoryStore()
      const former = await createKey(store, { id: 'team' })
      const { secret } = await rotateKey(store, 'team', { graceMs: 3_600_000 })
      const revoked = await createKey(store, { id: 'gone' })
      await revokeKey(store, 'gone')
      await using stage = await tracedStage({ store, keys })
      const within = await stage.ask(path, body, bearer(former.secret))
      await within.text()
      vi.setSystemTime(Date.now() + 3_600_000)
      const after = await stage.ask(path, body, bearer(former.secret))
      const present = await stage.ask(path, body, bearer(secret))
      await present.text()
      const gone = await stage.ask(path, body, bearer(revoked.secret))
      const unknown = await stage.ask(path, body, bearer('no-such-secret'))
      const answer = await seen(unknown)
      expect([await seen(after), await seen(gone)]).toEqual([answer, answer])
      const results = []
      for (const reply of [within, after, present, gone]) results.push(await said(stage, reply))
      expect(results.map(({ result, key }) => [result, key])).toEqual([
        ['ok', 'team'],
        ['expired', 'team'],
        ['ok', 'team'],
        ['disabled', 'gone'],
      ])
    } finally {
      vi.useRealTimers()
    }
  })

  test('knows a model beyond the scope of its key, which looks like none to the client', async () => {
    await using stage = await tracedStage({
      keys,
      aliases,
      accounts: [{ models: ['sandbox/echo', 'sandbox/words=2'] }],
    })
    const narrow = bearer('narrow-secret')
    const ask = (model: string, filling = '') =>
      stage.ask(path, { ...body, model, user: filling }, narrow)
    const [none, beyond, hidden] = [
      await ask('nothing'),
      await ask(body.model),
      await ask('hidden'),
    ]
    // A large body is refused before it is parsed.
    const large = await ask(body.model, 'x'.repeat(200_000))
    const shown = async (reply: Response, model: string) =>
      JSON.stringify((await seen(reply)).error).replaceAll(model, 'MODEL')
    const answer = await shown(none, 'nothing')
    expect(none.status).toBe(404)
    expect(await shown(beyond, body.model)).toBe(answer)
    expect(await shown(hidden, 'hidden')).toBe(answer)
    expect(await shown(large, body.model)).toBe(answer)
    const described = await stage.ask(`/v1/models/${body.model}`, undefined, narrow)
    const undescribed = await stage.ask('/v1/models/nothing', undefined, narrow)
    const allowed = [await ask('quick'), await ask('sandbox/words=2')]
    for (const reply of [described, undescribed, ...allowed]) await reply.text()
    const resultOf = async (reply: Response) => (await said(stage, reply)).result
    expect(await said(stage, beyond)).toEqual({
      result: 'scope',
      key: 'narrow',
      keyOfExchange: 'narrow',
      status: 'unset',
    })
    for (const reply of [hidden, large, described]) expect(await resultOf(reply)).toBe('scope')
    for (const reply of [none, undescribed, ...allowed]) expect(await resultOf(reply)).toBe('ok')
  })

  test('has the first refusal of a plugin, if no later one finds a caller', async () => {
    const badges = definePlugin({
      name: 'badges',
      onAuthenticate: ({ credential }) =>
        credential?.startsWith('badge-') || credential === 'good-secret'
          ? Promise.resolve({ refused: 'expired', keyId: 'badge:7' } as const)
          : undefined,
    })
    const later = definePlugin({
      name: 'later',
      onAuthenticate: ({ credential }) =>
        credential === 'badge-7' ? { refused: 'disabled', keyId: 'other' } : undefined,
    })
    const ofHeader = definePlugin({
      name: 'of-header',
      onAuthenticate: ({ exchange }) =>
        exchange.request.headers['x-badge'] ? { refused: 'expired', keyId: 'badge:8' } : undefined,
    })
    const odd = definePlugin({
      name: 'odd',
      onAuthenticate: ({ credential }) =>
        credential === 'odd' ? { refused: 'because' as 'expired' } : undefined,
    })
    await using stage = await tracedStage({
      keys,
      plugins: [badges, later, ofHeader, odd],
    })
    const refused = await stage.ask(path, body, bearer('badge-7'))
    const found = await stage.ask(path, body, bearer('good-secret'))
    const elsewhere = await stage.ask(path, body, { authorization: '', 'x-badge': '8' })
    const none = await stage.ask(path, body, { authorization: '' })
    expect(await seen(elsewhere)).toEqual(await seen(none))
    const strange = await stage.ask(path, body, bearer('odd'))
    const unknown = await stage.ask(path, body, bearer('no-such-secret'))
    await found.text()
    const answer = await seen(unknown)
    expect([await seen(refused), await seen(strange)]).toEqual([answer, answer])
    expect(found.status).toBe(200)
    expect(await said(stage, refused)).toMatchObject({ result: 'expired', key: 'badge:7' })
    expect(await said(stage, elsewhere)).toMatchObject({ result: 'expired', key: 'badge:8' })
    expect((await said(stage, none)).result).toBe('missing')
    expect(await said(stage, found)).toMatchObject({ result: 'ok', key: 'good' })
    expect((await said(stage, strange)).result).toBe('invalid')
  })
})
