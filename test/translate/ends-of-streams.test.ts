import { describe, expect, test } from 'vitest'

import type { DialectName } from './clients/index.ts'
import { approach, exchangeOf } from './kernel.ts'
import { dialectOf, startMixed } from '../walks/losses/mixed.ts'
import { pairs } from '../walks/losses/pairs.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { type Form, form, upToOutput } from '../walks/streams/forms.ts'
import { createGate, openStream } from '../walks/streams/scripted.ts'

describe.each(pairs)('$pair', ({ client, account }) => {
  test('a client is told of a stream that ends in good order, but without its last event', async () => {
    const seen = createGate()
    await using mixed = await startMixed({
      foreign: {
        form: account,
        async script(response) {
          openStream(response, upToOutput(account))
          await seen.opened
          response.end()
        },
      },
    })

    const response = await ask(mixed.gateway, client)
    seen.open()
    const { text, reset } = await receive(response)

    expect(text).toContain('Hello')
    expect(text).not.toMatch(client.success)
    expect(text).toMatch(/error/)
    expect(reset).toBe(client.resets)
    expect((await mixed.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
  })
})

const nameOf = (spoken: Form) => dialectOf(spoken) as DialectName

test.each(pairs.filter(({ account }) => account.announcements.length > 0))(
  '$pair: a client waits for more than the announcements of an account that may still fail',
  async ({ client, account }) => {
    const exchange = exchangeOf({ client: nameOf(client), account: nameOf(account), stream: true })
    const observer = (await approach(exchange)).observer()

    expect(observer.observe(Buffer.from(account.announcements.join(''))).phase).toBe('start')
    expect(observer.observe(Buffer.from(account.output.join(''))).phase).toBe('output')
  },
)

// Other dialects have no word for the end, or more may follow it.
test.each(pairs.filter(({ account }) => /messages|responses/.test(account.name)))(
  '$pair: a client waits for the end no longer than its account takes to tell of it',
  async ({ client, account }) => {
    const exchange = exchangeOf({ client: nameOf(client), account: nameOf(account), stream: true })
    const observer = (await approach(exchange)).observer()

    observer.observe(Buffer.from(upToOutput(account).join('')))
    expect(observer.observe(Buffer.from(account.ending.join(''))).phase).toBe('terminal')
  },
)

const messagesError = (type: string, message: string) =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`

test('a client reads no secret of an account that fails in the middle of its stream', async () => {
  await using mixed = await startMixed({
    foreign: {
      form: form.messages,
      script(response) {
        openStream(response, upToOutput(form.messages))
        response.end(messagesError('api_error', 'key-of-foreign is worn out'))
      },
    },
  })

  const { text } = await receive(await ask(mixed.gateway, form.chat))

  expect(text).toContain('[secret] is worn out')
  expect(text).not.toContain('key-of-foreign')
})

test('what one account says is the client’s fault in its stream, no other one is asked', async () => {
  await using mixed = await startMixed({
    foreign: {
      form: form.messages,
      script(response) {
        openStream(response)
        response.end(messagesError('invalid_request_error', 'no such luck'))
      },
    },
    other: { form: form.messages, settings: { priority: 1 } },
  })

  const response = await ask(mixed.gateway, form.chat)

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: 'no such luck' } })
  expect(mixed.accounts.other.requests).toHaveLength(0)
})
