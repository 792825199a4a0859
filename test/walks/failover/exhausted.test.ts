import { describe, expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { openStream } from '../streams/scripted.ts'
import { refusing, type Script, serving, startPool } from './pool.ts'

describe.each(forms)('a $name client whom no account could serve', (form) => {
  test.each([{ stream: true }, { stream: false }])(
    'gets the last error, and the advice not to try again (stream: $stream)',
    async (asking) => {
      await using pool = await startPool(form, { a: refusing(500), b: refusing(503) })

      const response = await ask(pool.gateway, form, asking)

      expect(response.status).toBe(503)
      expect(response.headers.get('x-should-retry')).toBe('false')
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await response.json()).toMatchObject({
        error: { code: 503, message: 'refused with 503', details: expect.any(Array) },
      })
      expect((await pool.gateway.logged(1))[0]).toMatchObject({
        status: 503,
        attempts: 2,
        account: 'b',
        error_type: 'upstream_rejected',
      })
    },
  )

  test.each([401, 402, 403])('is not told that an account was refused with %i', async (status) => {
    await using pool = await startPool(form, { a: refusing(status) })

    const response = await ask(pool.gateway, form)
    const body = await response.text()

    expect(response.status).toBe(502)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(body).not.toContain(`refused with ${status}`)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 502 } })
  })
})

const { chat } = form

test.each<{ what: string; script: Script; status: number; error: string }>([
  { what: 'cannot be reached', script: 'closed', status: 502, error: 'upstream_unreachable' },
  { what: 'redirects', script: refusing(307), status: 502, error: 'upstream_rejected' },
  { what: 'says nothing', script: () => {}, status: 504, error: 'upstream_timeout' },
  { what: 'is overloaded', script: refusing(529), status: 529, error: 'upstream_rejected' },
  { what: 'took too long', script: refusing(408), status: 408, error: 'upstream_rejected' },
  {
    what: 'sends a page',
    script: (response) => void response.end('<h1>Hello</h1>'),
    status: 502,
    error: 'upstream_invalid_reply',
  },
])('a client gets $status when its only account $what', async ({ script, status, error }) => {
  await using pool = await startPool(chat, { only: script }, { timeouts: { firstByteMs: 200 } })

  const response = await ask(pool.gateway, chat)

  expect(response.status).toBe(status)
  expect(response.headers.get('x-should-retry')).toBe('false')
  expect(await response.json()).toMatchObject({ error: { code: status } })
  expect((await pool.gateway.logged(1))[0]).toMatchObject({ status, error_type: error })
})

test.each([
  { form: form.responses, status: 500 },
  { form: form.chat, status: 500 },
  { form: form.messages, status: 529 },
  { form: form.generate, status: 503 },
])(
  'a $form.name client gets $status when the error was told as the first event',
  async ({ form, status }) => {
    await using pool = await startPool(form, {
      only(response) {
        openStream(response)
        response.end(form.inBandError)
      },
    })

    const response = await ask(pool.gateway, form)

    expect(response.status).toBe(status)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({ error: { code: status, message: 'overworked' } })
  },
)

test('a client learns how long the last account wants to be left alone', async () => {
  const timing = { 'retry-after': '7', 'retry-after-ms': '6500' }
  await using pool = await startPool(chat, { a: refusing(500), b: refusing(429, timing) })

  const response = await ask(pool.gateway, chat)

  expect(response.status).toBe(429)
  expect(Object.fromEntries(response.headers)).toMatchObject(timing)
})

test('no more accounts are asked than agreed', async () => {
  const script = refusing(500)
  await using pool = await startPool(
    chat,
    { a: script, b: script, c: serving(chat) },
    { limits: { attempts: 2 } },
  )

  const response = await ask(pool.gateway, chat)

  expect(response.status).toBe(500)
  expect((await pool.gateway.logged(1))[0]).toMatchObject({ attempts: 2 })
  expect(pool.accounts.c.requests).toHaveLength(0)
})

test('no account is asked twice for one request', async () => {
  await using pool = await startPool(chat, { a: refusing(500), b: refusing(500) })

  await ask(pool.gateway, chat)

  expect(pool.accounts.a.requests).toHaveLength(1)
  expect(pool.accounts.b.requests).toHaveLength(1)
})

test('an account whose error never ends does not hold up its client', async () => {
  await using pool = await startPool(chat, {
    endless(response) {
      response.writeHead(500)
      const talk = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.once('close', () => clearInterval(talk))
    },
    b: serving(chat),
  })

  const response = await ask(pool.gateway, chat, { signal: AbortSignal.timeout(5_000) })

  expect(response.headers.get('x-dragoman-account')).toBe('b')
})
