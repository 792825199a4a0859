import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form, type FormName } from '../streams/forms.ts'
import { failingAt, guardrail, without } from './guardrails.ts'
import { pausing } from './pausing.ts'

const failure = 'A plugin of the gateway failed on this reply.'

const broken = new Error('the model of the guardrail is not loaded')

/** A client on an account of its own dialect, and one on another's. */
const pairs: readonly { client: FormName; account: FormName }[] = [
  { client: 'responses', account: 'responses' },
  { client: 'responses', account: 'chat' },
  { client: 'chat', account: 'chat' },
  { client: 'chat', account: 'messages' },
  { client: 'messages', account: 'messages' },
  { client: 'messages', account: 'generate' },
  { client: 'generate', account: 'generate' },
  { client: 'generate', account: 'responses' },
]

describe.each(dailyRows(pairs))('$client on $account', ({ client, account }) => {
  const own = form[client]

  const serve = (plugin: GatewayPlugin) =>
    startMixed({ only: { form: form[account] } }, { plugins: [plugin] })

  test.each([{ stream: true }, { stream: false }])(
    'a guardrail that fails at once is an error and no reply (stream: $stream)',
    async ({ stream }) => {
      await using mixed = await serve(failingAt('part', broken))

      const response = await ask(mixed.gateway, own, { stream })
      const text = await response.text()

      expect(response.status).toBe(500)
      expect(JSON.parse(text)).toMatchObject({ error: { code: 500, message: failure } })
      expect(text).not.toContain('model of the guardrail')
      expect(text).not.toContain('Hello')
      expect(JSON.stringify(mixed.gateway.log)).toContain('model of the guardrail')
    },
  )

  test('a guardrail that fails on its way ends the stream with an error', async () => {
    const { script, goOn } = pausing(form[account])
    await using mixed = await startMixed(
      { only: { form: form[account], script } },
      { plugins: [failingAt('stop', broken)] },
    )

    const response = await ask(mixed.gateway, own)
    goOn()
    const { text, reset } = await receive(response)

    expect(text).toContain('Hello')
    expect(text).toContain(failure)
    expect(text).not.toMatch(own.success)
    expect(text).not.toContain('model of the guardrail')
    expect(reset).toBe(own.resets)
  })

  test.each([{ stream: true }, { stream: false }])(
    'a guardrail that swallows the end makes no success (stream: $stream)',
    async ({ stream }) => {
      await using mixed = await serve(without('finish'))

      const response = await ask(mixed.gateway, own, { stream })
      const { text } = await receive(response)

      expect(text).toContain(failure)
      expect(text).not.toMatch(client === 'chat' ? /\[DONE\]/ : own.success)
      if (!stream) expect(response.status).toBe(500)
      expect((await mixed.gateway.logged(1))[0]).toMatchObject({ level: 'error' })
    },
  )

  test.each([{ stream: true }, { stream: false }])(
    'a guardrail that tells of an error ends the reply with it (stream: $stream)',
    async ({ stream }) => {
      const blocking = guardrail((event, emit) => {
        emit(
          event.type === 'delta'
            ? { type: 'error', message: 'This is not talked about here.', status: 422 }
            : event,
        )
      })
      await using mixed = await serve(blocking)

      const response = await ask(mixed.gateway, own, { stream })
      const { text } = await receive(response)

      expect(text).toContain('This is not talked about here.')
      expect(text).not.toMatch(/Hello|there/)
      expect(response.status).toBe(422)
    },
  )
})

test('a guardrail that fails is not held against an account, and no other one is asked', async () => {
  await using mixed = await startMixed(
    { a: { form: form.chat }, b: { form: form.messages } },
    { plugins: [failingAt('part', broken)] },
  )

  for (let call = 0; call < 8; call++) await ask(mixed.gateway, form.chat, { stream: call % 2 > 0 })

  // A circuit opens after five failures in a row.
  expect(mixed.accounts.a.requests).toHaveLength(8)
  expect(mixed.accounts.b.requests).toHaveLength(0)
})

test('a guardrail that cannot even begin is an error, and no account is asked', async () => {
  const plugin = {
    name: 'unready',
    onEvents() {
      throw broken
    },
  }
  await using mixed = await startMixed({ only: { form: form.chat } }, { plugins: [plugin] })

  const response = await ask(mixed.gateway, form.chat)

  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: { message: failure } })
  expect(mixed.accounts.only.requests).toHaveLength(0)
  expect(mixed.gateway.log).toMatchObject([
    { msg: 'unready: onEvents failed', plugin: 'unready', account: 'only' },
  ])
})
