import { describe, expect, test } from 'vitest'

import type { Answer } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { refusing, serving, startPool } from './pool.ts'

const { chat } = form

describe('an account that asks to be left alone', () => {
  test.each([
    { header: 'retry-after', value: '60' },
    { header: 'retry-after', value: new Date(Date.now() + 60_000).toUTCString() },
    { header: 'retry-after-ms', value: '60000' },
  ])('is left alone ($header: $value)', async ({ header, value }) => {
    await using pool = await startPool(chat, {
      a: refusing(429, { [header]: value }),
      b: serving(chat),
    })

    for (let round = 0; round < 3; round++) {
      const response = await ask(pool.gateway, chat)
      expect(response.headers.get('x-dragoman-account')).toBe('b')
    }

    expect(pool.accounts.a.requests).toHaveLength(1)
    expect(pool.gateway.log).toEqual([])
  })

  test('is asked again afterwards', async () => {
    let asked = 0
    const recovering: Answer = (response, request) =>
      (asked++ === 0 ? refusing(503, { 'retry-after-ms': '200' }) : serving(chat))(
        response,
        request,
      )
    await using pool = await startPool(chat, { a: recovering, b: serving(chat) })

    const first = await ask(pool.gateway, chat)

    expect(first.headers.get('x-dragoman-account')).toBe('b')
    await until(async () => {
      const response = await ask(pool.gateway, chat, { stream: false })
      await response.text()
      return response.headers.get('x-dragoman-account') === 'a'
    })
  })

  test('is asked at once when it does not say for how long', async () => {
    await using pool = await startPool(chat, { a: refusing(429), b: serving(chat) })

    await ask(pool.gateway, chat)
    await ask(pool.gateway, chat)

    expect(pool.accounts.a.requests).toHaveLength(2)
  })

  test('is left alone after a reload that does not change it, and asked again after one that does', async () => {
    await using pool = await startPool(chat, {
      a: refusing(429, { 'retry-after': '60' }),
      b: serving(chat),
    })

    await ask(pool.gateway, chat)
    pool.gateway.reload({ accounts: [...pool.settings] })
    await ask(pool.gateway, chat)
    expect(pool.accounts.a.requests).toHaveLength(1)

    pool.gateway.reload({ accounts: pool.settings.map((one) => ({ ...one, apiKey: 'another' })) })
    await ask(pool.gateway, chat)
    expect(pool.accounts.a.requests).toHaveLength(2)
  })
})

test.each(forms)(
  'a $name client learns when the first of all accounts will be back',
  async (form) => {
    await using pool = await startPool(form, {
      a: refusing(429, { 'retry-after': '60' }),
      b: refusing(503, { 'retry-after': '30' }),
    })
    await ask(pool.gateway, form)

    const response = await ask(pool.gateway, form)

    expect(response.status).toBe(form.name === 'messages' ? 529 : 503)
    const seconds = Number(response.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(15)
    expect(seconds).toBeLessThanOrEqual(30)
    expect(response.headers.get('x-should-retry')).not.toBe('false')
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
    expect(pool.accounts.a.requests).toHaveLength(1)
    expect(pool.accounts.b.requests).toHaveLength(1)
    expect((await pool.gateway.logged(2))[1]).toMatchObject({
      attempts: 0,
      error_type: 'no_account_available',
    })
  },
)
