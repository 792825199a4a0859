import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { rewriting } from './guardrails.ts'

const plugins = [rewriting('Hello', 'Hi')]
const fields = { background: true }

describe.each([{ stream: true }, { stream: false }])('stream: $stream', ({ stream }) => {
  test('work in the background cannot be asked for where a plugin edits the answer', async () => {
    await using mixed = await startMixed(
      { a: { form: form.responses }, b: { form: form.chat } },
      { plugins },
    )

    const response = await ask(mixed.gateway, form.responses, { stream, fields })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: {
        code: 400,
        param: 'background',
        details: [{ code: 'invalid_value', param: 'background' }],
        message: expect.stringContaining('`background`: a plugin of the gateway edits') as string,
      },
    })
    expect(mixed.accounts.a.requests).toEqual([])
    expect(mixed.accounts.b.requests).toEqual([])
  })

  test('a client that says it wants none of it is served', async () => {
    await using mixed = await startMixed({ a: { form: form.responses } }, { plugins })

    const said = { stream, fields: { background: false } }
    const response = await ask(mixed.gateway, form.responses, said)

    expect(response.status).toBe(200)
    expect((await receive(response)).text).toContain('Hi')
  })

  test('an account whose answers the plugin leaves alone takes it on', async () => {
    const onlyForA = definePlugin({
      name: 'only-for-a',
      onEvents: ({ exchange }) =>
        exchange.candidate.account.id === 'a' ? { map: (event, emit) => emit(event) } : undefined,
    })
    await using mixed = await startMixed(
      { a: { form: form.responses }, b: { form: form.responses } },
      { plugins: [onlyForA] },
    )

    const response = await ask(mixed.gateway, form.responses, { stream, fields })
    await response.text()

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-account')).toBe('b')
    expect(mixed.accounts.a.requests).toEqual([])
  })
})
