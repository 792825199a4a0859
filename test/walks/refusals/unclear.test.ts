import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { callsTo, serving, startPool } from '../failover/pool.ts'
import { form, forms } from '../streams/forms.ts'
import { answering, askAs, keys, listing, oddly, refusingOdd } from './keys.ts'

const { chat } = form
const forbidden = answering(403, { error: { message: 'Forbidden.' } })
const unfound = answering(404, { error: { message: 'No such page.' } })

describe.each(forms)('a refusal of a $name client that no provider documents', (form) => {
  test('is the caller’s if the account lists its models and the model answers', async () => {
    const script = refusingOdd(forbidden, serving(form))
    await using pool = await startPool(form, { a: script, b: script }, { keys })
    await askAs('alice', pool.gateway, form)

    for (let call = 0; call < 8; call++) {
      const response = await askAs('mallory', pool.gateway, form, oddly(form))
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: { message: 'Forbidden.' } })
    }

    expect(callsTo(pool.accounts.b)).toHaveLength(0)
    expect((await askAs('alice', pool.gateway, form)).headers.get('x-dragoman-account')).toBe('a')
    expect(pool.gateway.log).toEqual([])
  })

  test('has the gateway look once, with the account’s key and nothing of the client', async () => {
    const script = refusingOdd(forbidden, serving(form))
    await using pool = await startPool(form, { a: script }, { keys })

    const odd = { ...oddly(form), headers: { 'x-client-note': 'private', 'x-sandbox': 'echo' } }
    await Promise.all(Array.from({ length: 20 }, () => askAs('mallory', pool.gateway, form, odd)))

    const looks = pool.accounts.a.requests.filter(({ method }) => method === 'GET')
    expect(looks).toHaveLength(1)
    expect(looks[0]?.url).toMatch(/^\/v1(?:beta)?\/models(?:\?|$)/)
    expect(JSON.stringify(looks[0]?.headers)).toContain('key-of-a')
    expect(JSON.stringify(looks[0]?.headers)).not.toMatch(/private|secret-of|x-sandbox/)
  })
})

test('a model that an account has never answered with is asked of the next account', async () => {
  await using pool = await startPool(
    chat,
    { a: (...args) => (args[1].method === 'GET' ? listing : forbidden)(...args), b: serving(chat) },
    { keys },
  )

  const response = await askAs('alice', pool.gateway, chat)

  expect(response.headers.get('x-dragoman-account')).toBe('b')
})

test('a model that no account answers with is refused in the provider’s words, if its keys are good', async () => {
  const script = refusingOdd(forbidden, forbidden)
  await using pool = await startPool(chat, { a: script, b: script }, { keys })

  const response = await askAs('alice', pool.gateway, chat)

  expect(response.status).toBe(403)
  expect(await response.text()).toContain('Forbidden.')
})

describe('where an account cannot be checked', () => {
  const uncheckable = refusingOdd(forbidden, serving(chat))
  const script: typeof uncheckable = (response, request) =>
    (request.method === 'GET' ? unfound : uncheckable)(response, request)

  test('one key cannot exclude it for another', async () => {
    await using pool = await startPool(chat, { a: script, b: script, c: script }, { keys })

    for (let call = 0; call < 12; call++) {
      expect((await askAs('mallory', pool.gateway, chat, oddly(chat))).status).toBeGreaterThan(500)
    }

    expect((await askAs('alice', pool.gateway, chat)).headers.get('x-dragoman-account')).toBe('a')
  })

  test('a key is kept from an account that refuses it again and again', async () => {
    await using pool = await startPool(chat, { a: script, b: serving(chat) }, { keys })

    for (let call = 0; call < 6; call++) {
      const response = await askAs('mallory', pool.gateway, chat, oddly(chat))
      expect(response.headers.get('x-dragoman-account')).toBe('b')
    }

    expect(callsTo(pool.accounts.a)).toHaveLength(3)
    expect(pool.gateway.log).toMatchObject([{ level: 'error', account: 'a', key: 'mallory' }])
  })

  test('refusals of two keys with no success between them exclude the model for all', async () => {
    await using pool = await startPool(chat, { a: script, b: serving(chat) }, { keys })

    await askAs('mallory', pool.gateway, chat, oddly(chat))
    await askAs('bob', pool.gateway, chat, oddly(chat))

    expect((await askAs('alice', pool.gateway, chat)).headers.get('x-dragoman-account')).toBe('b')
    expect(pool.gateway.log).toMatchObject([{ level: 'error', account: 'a', model: 'm' }])
    const other = await askAs('alice', pool.gateway, chat, { model: 'other' })
    expect(other.headers.get('x-dragoman-account')).toBe('a')
  })

  test('a success between them proves that the account works', async () => {
    await using pool = await startPool(chat, { a: script, b: serving(chat) }, { keys })

    for (let round = 0; round < 5; round++) {
      await askAs('mallory', pool.gateway, chat, oddly(chat))
      await askAs('alice', pool.gateway, chat)
      await askAs('bob', pool.gateway, chat, oddly(chat))
      await askAs('alice', pool.gateway, chat)
    }

    expect(callsTo(pool.accounts.a)).toHaveLength(20)
    expect(pool.gateway.log).toEqual([])
  })
})

test('a key that may not list models is not taken for a dead one', async () => {
  const scopes = answering(403, {
    error: {
      message:
        'You have insufficient permissions for this operation. Missing scopes: api.model.read.',
    },
  })
  const script = refusingOdd(forbidden, serving(chat))
  await using pool = await startPool(
    chat,
    { a: (...args) => (args[1].method === 'GET' ? scopes : script)(...args), b: serving(chat) },
    { keys },
  )

  await askAs('mallory', pool.gateway, chat, oddly(chat))

  expect((await askAs('alice', pool.gateway, chat)).headers.get('x-dragoman-account')).toBe('a')
  expect(pool.gateway.log).toEqual([])
})

test('a check that hangs holds a call up for seconds only', async () => {
  const script = refusingOdd(forbidden, serving(chat))
  await using pool = await startPool(
    chat,
    { a: (...args) => (args[1].method === 'GET' ? undefined : script(...args)), b: serving(chat) },
    { keys },
  )

  const response = await askAs('mallory', pool.gateway, chat, {
    ...oddly(chat),
    signal: AbortSignal.timeout(9_000),
  })

  expect(response.headers.get('x-dragoman-account')).toBe('b')
  await until(() => pool.accounts.a.requests.some(({ aborted }) => aborted))
})
