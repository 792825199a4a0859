import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../src/contract/errors.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { type BreakableStore, breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { form } from '../walks/streams/forms.ts'
import { startPair } from './pair.ts'

const forms = [form.chat, form.responses, form.messages, form.generate]

/** The answer that cannot be known before the store answers. */
const cannotTell = {
  status: 503,
  code: 'lookup_unavailable',
  retry: 'true',
  retryAfter: '1',
}

describe.each(forms)('$name', (own) => {
  test('while the store is away a known model is served and an unknown one is to be tried again', async () => {
    const store = breakable(openMemoryStore())
    await using pair = await startPair(own, { store, a: { models: ['m'] }, b: { models: ['m'] } })
    const unknown = () => pair.ask({ model: 'of-another-process' })
    expect(await unknown()).toMatchObject({ status: 404 })

    store.broken.reads = true
    await until(async () => (await unknown()).status !== 404)

    const refused = await unknown()
    expect(answerOf(refused)).toEqual(cannotTell)
    expect(JSON.stringify(refused.json)).toContain('cannot be found out')
    expect(await pair.ask()).toMatchObject({ status: 200 })

    store.broken.reads = false
    await until(async () => (await unknown()).status === 404)
  })
})

test('while the store is away another account may do what those known here cannot', async () => {
  const store = breakable(openMemoryStore())
  const speaks = ['chat'] as const
  await using pair = await startPair(form.chat, {
    store,
    a: { models: ['m'], speaks },
    b: { models: ['off'], speaks, enabled: false },
  })
  const asked = {
    image: () => post(pair.gateway, '/v1/images/generations', { model: 'm', prompt: 'a cat' }),
    video: () => post(pair.gateway, '/v1/videos', { model: 'm', prompt: 'a cat' }),
    background: () =>
      post(pair.gateway, '/v1/responses', { model: 'm', input: 'hi', background: true }),
    disabled: () => post(pair.gateway, '/v1/chat/completions', { model: 'off', messages }),
    listed: () => send(pair.gateway, '/v1/models/off'),
  }
  const answers = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(asked).map(async ([name, ask]) => [name, await ask()])),
    ) as Record<string, ReturnType<typeof answerOf>>
  const definite = {
    image: { status: 400, code: 'invalid_value', retry: 'false' },
    video: { status: 400, code: 'invalid_value', retry: 'false' },
    background: { status: 400, code: 'invalid_value', retry: 'false' },
    disabled: { status: 503, code: 'no_account_available', retry: 'false' },
    listed: { status: 404, code: 'model_not_found', retry: 'false' },
  }
  expect(await answers()).toMatchObject(definite)

  store.broken.reads = true
  await until(async () => (await asked.image()).status === 503)
  expect(await answers()).toEqual(
    Object.fromEntries(Object.keys(asked).map((name) => [name, cannotTell])),
  )

  store.broken.reads = false
  await until(async () => (await asked.image()).status === 400)
  expect(await answers()).toMatchObject(definite)
})

test.each(['account-states', 'accounts', 'aliases'])(
  'a model without a known account is to be tried again while the %s of the store are away',
  async (namespace) => {
    const store = breakable(openMemoryStore())
    await using pair = await startPair(form.chat, {
      store: onlyIn(namespace, store),
      a: { models: ['off'], enabled: false },
      b: { models: ['m'] },
    })
    const disabled = async () => answerOf(await pair.ask({ model: 'off' }))
    expect(await disabled()).toMatchObject({ code: 'no_account_available', retry: 'false' })
    store.broken.reads = true
    await until(async () => (await disabled()).code !== 'no_account_available')
    expect(await disabled()).toEqual(cannotTell)
  },
)

test('while the store is away any name may be an alias of a model of the key, and says nothing of models', async () => {
  const store = breakable(openMemoryStore())
  await using pair = await startPair(form.chat, {
    store,
    a: { models: ['m', 'other'] },
    b: { models: ['m'] },
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'narrow', secret: 'narrow-secret', models: ['m', 'of-another-process'] },
    ],
  })
  const ask = async (model: string, key?: string) => {
    const reply = await pair.ask({ model, ...(key && { key }) })
    return { ...answerOf(reply), text: JSON.stringify(reply.json).replaceAll(model, 'MODEL') }
  }
  store.broken.reads = true
  await until(async () => (await ask('of-another-process')).status === 503)

  const refused = { status: 404, code: 'model_not_found', retry: 'false' }
  expect(await ask('../x')).toMatchObject(refused)
  expect(await ask('x'.repeat(600))).toMatchObject(refused)
  const forbidden = await ask('other', 'narrow-secret')
  expect(forbidden).toMatchObject(cannotTell)
  // The key cannot find out which models exist.
  const unknown = await ask('nowhere', 'narrow-secret')
  expect(unknown.text.replaceAll(/req_[\w-]+/g, '')).toBe(
    forbidden.text.replaceAll(/req_[\w-]+/g, ''),
  )
  expect(unknown).toMatchObject(cannotTell)
  expect(await ask('of-another-process', 'narrow-secret')).toMatchObject(cannotTell)
})

test('an owner that is gone or off may be back while the store is away, and its own refusal stays', async () => {
  const store = breakable(openMemoryStore())
  const speaks = ['chat'] as const
  await using pair = await startPair(form.chat, {
    store,
    plugins: [toTheAccountOfTheHeader],
    a: { models: ['m'], speaks },
    b: { models: ['m'], speaks, enabled: false },
  })
  const ask = async (account: string) => answerOf(await pair.ask({ headers: { 'x-to': account } }))
  const gone = { status: 503, code: 'owner_unavailable', retry: 'false' }
  expect(await ask('of-another-process')).toMatchObject(gone)
  store.broken.reads = true
  await until(async () => (await ask('of-another-process')).retry === 'true')
  const mayReturn = { ...gone, retry: 'true', retryAfter: '1' }
  expect(await ask('of-another-process')).toEqual(mayReturn)
  expect(await ask('b')).toEqual(mayReturn)
  const fields = { background: true }
  const headers = { 'x-to': 'a' }
  const unsupported = await pair.ask({ form: form.responses, headers, fields })
  expect(answerOf(unsupported)).toMatchObject({ status: 400, retry: 'false' })
})

const toTheAccountOfTheHeader = definePlugin({
  name: 'tenants',
  onCandidates: ({ exchange }) => ({
    pinnedTo: String(exchange.request.headers['x-to']),
    by: 'tenants',
    unavailable: (reason) =>
      new GatewayError('owner_unavailable', `The account is gone: ${reason}.`),
  }),
})

const messages = [{ role: 'user', content: 'hi' }]

interface Reachable {
  readonly url: string
  readonly key: string
}

function post(gateway: Reachable, path: string, body: object) {
  return send(gateway, path, { method: 'POST', body: JSON.stringify(body) })
}

async function send({ url, key }: Reachable, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  })
  const { status, headers } = response
  return answerOf({ status, headers, json: (await response.json()) as Record<string, unknown> })
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Record<string, unknown>
}

/** The facts of an error in any dialect. */
function answerOf({ status, headers, json }: Answer) {
  const [, code] = /"(?:code|reason)":"([a-z_]+)"/i.exec(JSON.stringify(json)) ?? []
  return {
    status,
    code: code?.toLowerCase(),
    retry: headers.get('x-should-retry'),
    retryAfter: headers.get('retry-after'),
  }
}

/** A store of which one namespace can break. */
function onlyIn(namespace: string, store: BreakableStore): Store {
  const whole = openMemoryStore()
  return {
    ...whole,
    records: <T>(...parameters: Parameters<Store['records']>) =>
      (parameters[0] === namespace ? store : whole).records<T>(...parameters),
  }
}
