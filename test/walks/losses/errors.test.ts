import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { ask } from '../streams/asking.ts'
import type { Form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'
import { errorIn, pairs } from './pairs.ts'

/** An error as the provider of a dialect tells it, with a mark by which its body is recognised. */
function refusal({ provider }: Form, status: number, message: string): object {
  const mark = { mark_of_upstream: true }
  if (provider === 'gemini') return { error: { code: status, message, status: 'X', ...mark } }
  if (provider === 'anthropic')
    return { type: 'error', error: { type: 'x_error', message, ...mark } }
  return { error: { message, type: 'x_error', param: 'their_field', code: 'x_code', ...mark } }
}

describe.each(dailyRows(pairs))('$pair', ({ client, account }) => {
  const refusing = (status: number, message: string, headers: Record<string, string> = {}) => ({
    foreign: {
      form: account,
      script: answerJson(refusal(account, status, message), { status, headers }),
    },
  })

  test.each([400, 404, 422, 429, 500, 503, 529])(
    'a %i is told in words of the client and of nobody else',
    async (status) => {
      await using mixed = await startMixed(refusing(status, 'no such luck'))

      const response = await ask(mixed.gateway, client, { stream: status % 2 === 0 })
      const text = await response.text()

      expect(response.status).toBe(status)
      expect(errorIn(client, text)).toMatchObject({ code: status, message: 'no such luck' })
      expect(text).not.toMatch(/mark_of_upstream|x_error|x_code|their_field|"X"/)
    },
  )

  test.each([401, 403])('a %i is the account’s affair', async (status) => {
    await using mixed = await startMixed(refusing(status, 'the key of somebody is wrong'))

    const response = await ask(mixed.gateway, client)
    const text = await response.text()

    expect(response.status).toBe(502)
    expect(errorIn(client, text)).toMatchObject({ code: 502 })
    expect(text).not.toContain('somebody')
  })

  test('a client learns how long to wait', async () => {
    await using mixed = await startMixed(refusing(429, 'slow down', { 'retry-after': '7' }))

    const response = await ask(mixed.gateway, client)

    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(response.headers.get('x-should-retry')).toBe('false')
  })

  test.each([400, 500])(
    'the body of a %i is in words of another dialect and not handed on, whatever the setting',
    async (status) => {
      await using mixed = await startMixed(refusing(status, 'no such luck'), { errors: 'upstream' })

      const response = await ask(mixed.gateway, client)
      const text = await response.text()

      expect(response.status).toBe(status)
      expect(errorIn(client, text)).toMatchObject({ code: status, message: 'no such luck' })
      expect(text).not.toContain('mark_of_upstream')
    },
  )

  test('neither the secret nor the address of the account is told', async () => {
    await using mixed = await startMixed({
      foreign: {
        form: account,
        script: (response, { headers }) => {
          const message = `key-of-foreign is unknown at ${headers.host}`
          response.writeHead(400, { 'content-type': 'application/json' })
          response.end(JSON.stringify(refusal(account, 400, message)))
        },
      },
    })

    const text = await (await ask(mixed.gateway, client)).text()

    expect(errorIn(client, text)['message']).toBe('[secret] is unknown at [upstream]')
    const { host } = new URL(mixed.accounts.foreign.url)
    expect(JSON.stringify(await mixed.gateway.logged(1))).not.toContain(host)
    expect(text).not.toContain('key-of-foreign')
  })
})
