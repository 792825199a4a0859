import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { ask } from '../streams/asking.ts'
import { form, type FormName, forms } from '../streams/forms.ts'
import { refusing, serving, startPool } from './pool.ts'

/** What each SDK reads to raise its error of a rate limit. */
const words: Record<FormName, object> = {
  responses: { error: { code: 429, type: 'rate_limit_error' } },
  chat: { error: { code: 429, type: 'rate_limit_error' } },
  messages: { type: 'error', error: { code: 429, type: 'rate_limit_error' } },
  generate: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
  'generate-array': { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
}

const limited = (seconds: number) => refusing(429, { 'retry-after': String(seconds) })

test.each(forms)(
  'a $name client whose model is rate limited at every account is told just that',
  async (form) => {
    await using pool = await startPool(form, { a: limited(60), b: limited(30) })
    await ask(pool.gateway, form)

    for (const stream of [true, false]) {
      const response = await ask(pool.gateway, form, { stream })

      expect(response.status).toBe(429)
      const seconds = Number(response.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(15)
      expect(seconds).toBeLessThanOrEqual(30)
      expect(response.headers.get('x-should-retry')).not.toBe('false')
      expect(await response.json()).toMatchObject(words[form.name])
    }
    expect(pool.accounts.a.requests).toHaveLength(1)
    expect(pool.accounts.b.requests).toHaveLength(1)
    expect((await pool.gateway.logged(2))[1]).toMatchObject({
      status: 429,
      attempts: 0,
      error_type: 'rate_limited',
    })
  },
)

const { chat, messages } = form

test.each([
  { what: 'overloaded', other: refusing(529, { 'retry-after': '30' }) },
  { what: 'refused', other: refusing(401) },
])('one account that is $what makes it no rate limit', async ({ other }) => {
  await using pool = await startPool(messages, { a: limited(60), b: other })
  await ask(pool.gateway, messages)

  const response = await ask(pool.gateway, messages)

  expect(response.status).toBe(529)
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('a rate limit of one account is nobody’s while another serves', async () => {
  await using pool = await startPool(chat, { a: limited(60), b: serving(chat) })
  await ask(pool.gateway, chat)

  expect((await ask(pool.gateway, chat)).status).toBe(200)
})

test('an account that is overloaded after its rate limit is told as overloaded', async () => {
  const answers = [refusing(429, { 'retry-after-ms': '1' }), refusing(503, { 'retry-after': '60' })]
  await using pool = await startPool(chat, {
    only: (response, request) => answers.shift()?.(response, request),
  })
  await until(async () => (await ask(pool.gateway, chat)).status === 503)

  const response = await ask(pool.gateway, chat)

  expect(response.status).toBe(503)
  expect(pool.accounts.only.requests).toHaveLength(2)
})
