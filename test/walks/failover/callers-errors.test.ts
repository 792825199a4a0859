import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { openStream } from '../streams/scripted.ts'
import { refusing, serving, startPool } from './pool.ts'

describe.each(forms)("a $name client's own mistake", (form) => {
  test.each(dailyRows([400, 404, 409, 413, 422], forms.indexOf(form)))(
    'is answered with the %i of the first account, and nobody else is asked',
    async (status) => {
      await using pool = await startPool(form, { a: refusing(status), b: serving(form) })

      const response = await ask(pool.gateway, form)

      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({
        error: { code: status, message: `refused with ${status}` },
      })
      expect(pool.accounts.b.requests).toHaveLength(0)
      expect((await pool.gateway.logged(1))[0]).toMatchObject({ status, account: 'a', attempts: 1 })
    },
  )

  test('is not held against the account', async () => {
    await using pool = await startPool(form, { a: refusing(400, { 'retry-after': '60' }) })

    await ask(pool.gateway, form)
    const second = await ask(pool.gateway, form)

    expect(second.status).toBe(400)
    expect(pool.accounts.a.requests).toHaveLength(2)
  })
})

test.each([
  {
    form: form.responses,
    event: { type: 'error', code: 'x', message: 'bad', error: { type: 'invalid_request_error' } },
  },
  {
    form: form.chat,
    event: { error: { type: 'invalid_request_error', code: null, message: 'bad' } },
  },
  {
    form: form.messages,
    event: { type: 'error', error: { type: 'invalid_request_error', message: 'bad' } },
  },
  {
    form: form.generate,
    event: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'bad' } },
  },
])(
  "a $form.name client's own mistake, told as the first event, is a plain 400",
  async ({ form, event }) => {
    await using pool = await startPool(form, {
      a: (response) => {
        openStream(response)
        response.end(`data: ${JSON.stringify(event)}\n\n`)
      },
      b: serving(form),
    })

    const response = await ask(pool.gateway, form)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 400 } })
    expect(pool.accounts.b.requests).toHaveLength(0)
  },
)
