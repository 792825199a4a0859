import { expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'
import { refusing, serving, startPool } from './pool.ts'

test.each(forms)('the second account of a $name client gets the same request', async (form) => {
  await using pool = await startPool(form, { a: refusing(503), b: serving(form) })

  await ask(pool.gateway, form, { headers: { 'x-session-id': 'as it is' } })

  const [first] = pool.accounts.a.requests
  const [second] = pool.accounts.b.requests
  expect(second!.url).toBe(first!.url)
  expect(second!.body).toEqual(first!.body)
  expect(second!.headers['x-session-id']).toBe('as it is')
})

test('each account is given its own credential and its own name of the model', async () => {
  const { chat } = form
  await using pool = await startPool(
    chat,
    { a: refusing(503), b: serving(chat) },
    {},
    (settings) => ({ ...settings, models: { m: `model-of-${settings.id}` } }),
  )

  await ask(pool.gateway, chat)

  for (const id of ['a', 'b'] as const) {
    const [request] = pool.accounts[id].requests
    expect(request!.headers.authorization).toBe(`Bearer key-of-${id}`)
    expect(JSON.parse(request!.body.toString())).toMatchObject({ model: `model-of-${id}` })
    expect(request!.body.toString()).not.toContain(pool.gateway.key)
  }
})
