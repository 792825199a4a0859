import { describe, expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { refusing, serving, startPool } from './pool.ts'

const { chat } = form

describe.each(forms)('an account of a $name client that its provider refuses', (form) => {
  test.each([401, 402])('is taken out with one clear line in the log (%i)', async (status) => {
    await using pool = await startPool(form, { a: refusing(status), b: serving(form) })

    for (let round = 0; round < 3; round++) {
      const response = await ask(pool.gateway, form)
      expect(response.headers.get('x-dragoman-account')).toBe('b')
    }

    expect(pool.accounts.a.requests).toHaveLength(1)
    expect(pool.gateway.log).toEqual([
      expect.objectContaining({ level: 'error', account: 'a', status, fix: expect.any(String) }),
    ])
    expect(JSON.stringify(pool.gateway.log)).not.toContain('key-of-a')
  })
})

test('an account that may not use a model is left out for that model only', async () => {
  await using pool = await startPool(chat, {
    a: (response, request) =>
      (JSON.parse(request.body.toString()) as { model: string }).model === 'm'
        ? refusing(403)(response, request)
        : serving(chat)(response, request),
    b: serving(chat),
  })
  const serverOf = async (model: string) =>
    (await ask(pool.gateway, chat, { model })).headers.get('x-dragoman-account')

  expect(await serverOf('m')).toBe('b')
  expect(await serverOf('m')).toBe('b')
  expect(await serverOf('other')).toBe('a')

  expect(pool.accounts.a.requests).toHaveLength(2)
  expect(pool.gateway.log).toEqual([
    expect.objectContaining({ level: 'error', account: 'a', status: 403, model: 'm' }),
  ])
})

test('one line is enough, however many clients were waiting', async () => {
  await using pool = await startPool(chat, { a: refusing(401), b: serving(chat) })

  const responses = await Promise.all(
    Array.from({ length: 10 }, () => ask(pool.gateway, chat, { stream: false })),
  )

  expect(responses.every(({ status }) => status === 200)).toBe(true)
  expect(pool.gateway.log).toHaveLength(1)
})

test('a refused account comes back when its configuration changes, and not before', async () => {
  await using pool = await startPool(chat, { a: refusing(401), b: serving(chat) })

  await ask(pool.gateway, chat)
  pool.gateway.reload({ accounts: [...pool.settings] })
  await ask(pool.gateway, chat)
  expect(pool.accounts.a.requests).toHaveLength(1)

  pool.gateway.reload({ accounts: pool.settings.map((one) => ({ ...one, apiKey: 'another' })) })
  await ask(pool.gateway, chat)
  expect(pool.accounts.a.requests).toHaveLength(2)
})

test('a client whose only account was refused is told so, without why', async () => {
  await using pool = await startPool(chat, { only: refusing(401) })
  const first = await ask(pool.gateway, chat)
  expect(first.status).toBe(502)

  const second = await ask(pool.gateway, chat)
  const body = await second.text()

  expect(second.status).toBe(503)
  expect(second.headers.get('x-should-retry')).toBe('false')
  expect(body).not.toMatch(/401|key-of-only|127\.0\.0\.1/)
  expect(pool.accounts.only.requests).toHaveLength(1)
})
