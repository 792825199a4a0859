import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { callsTo, type Pool, refusing, serving, startPool } from './pool.ts'

const { chat } = form

/** Asks once, and waits until the gateway has decided about the accounts that refused. */
async function askUntilLogged(pool: Pool<never>, asked = chat): Promise<Response> {
  const response = await ask(pool.gateway, asked)
  await until(() => pool.gateway.log.length > 0)
  return response
}

describe.each(forms)('an account of a $name client whose key its provider refuses', (form) => {
  test.each([401, 402])('is taken out with one clear line in the log (%i)', async (status) => {
    await using pool = await startPool(form, { a: refusing(status), b: serving(form) })

    await askUntilLogged(pool, form)
    for (let round = 0; round < 3; round++) {
      const response = await ask(pool.gateway, form)
      expect(response.headers.get('x-dragoman-account')).toBe('b')
    }

    expect(callsTo(pool.accounts.a)).toHaveLength(1)
    expect(pool.gateway.log).toEqual([
      expect.objectContaining({ level: 'error', account: 'a', status, fix: expect.any(String) }),
    ])
    expect(JSON.stringify(pool.gateway.log)).not.toContain('key-of-a')
  })
})

test('one line is enough, however many clients were waiting', async () => {
  await using pool = await startPool(chat, { a: refusing(401), b: serving(chat) })

  const responses = await Promise.all(
    Array.from({ length: 10 }, () => ask(pool.gateway, chat, { stream: false })),
  )
  await until(() => pool.gateway.log.length > 0)

  expect(responses.every(({ status }) => status === 200)).toBe(true)
  expect((await ask(pool.gateway, chat)).headers.get('x-dragoman-account')).toBe('b')
  expect(pool.gateway.log).toHaveLength(1)
})

test('a refused account is asked again when its configuration changes', async () => {
  await using pool = await startPool(chat, { a: refusing(401), b: serving(chat) })

  await askUntilLogged(pool)
  pool.gateway.reload({ accounts: [...pool.settings] })
  await ask(pool.gateway, chat)
  expect(callsTo(pool.accounts.a)).toHaveLength(1)

  pool.gateway.reload({ accounts: pool.settings.map((one) => ({ ...one, apiKey: 'another' })) })
  await ask(pool.gateway, chat)
  expect(callsTo(pool.accounts.a)).toHaveLength(2)
})

test('a client whose only account was refused is told so, without why', async () => {
  await using pool = await startPool(chat, { only: refusing(401) })
  const first = await askUntilLogged(pool)
  expect(first.status).toBe(502)

  const second = await ask(pool.gateway, chat)
  const body = await second.text()

  expect(second.status).toBe(503)
  expect(second.headers.get('x-should-retry')).toBe('false')
  expect(body).not.toMatch(/401|key-of-only|127\.0\.0\.1/)
  expect(callsTo(pool.accounts.only)).toHaveLength(1)
})
