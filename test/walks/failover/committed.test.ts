import { describe, expect, test } from 'vitest'

import { ask, receive, receiveUntil } from '../streams/asking.ts'
import { asDelivered, form, forms, upToOutput } from '../streams/forms.ts'
import { createGate, cut, openStream } from '../streams/scripted.ts'
import { readToldError } from '../streams/told-error.ts'
import { refusing, serving, startPool } from './pool.ts'

describe.concurrent.each(forms)('a client that has seen some of a $name stream', (form) => {
  test('is told of a failure, and no other account is asked', async () => {
    const gate = createGate()
    await using pool = await startPool(form, {
      async a(response) {
        openStream(response, [...form.announcements, form.output[0]!])
        await gate.opened
        cut(response)
      },
      b: serving(form),
    })

    const response = await ask(pool.gateway, form)
    expect(response.headers.get('x-dragoman-account')).toBe('a')
    gate.open()
    const { text } = await receive(response)

    const good = asDelivered(form, [...form.announcements, form.output[0]!])
    expect(readToldError(form, text.slice(good.length)).status).toBe(502)
    expect((await pool.gateway.logged(1))[0]).toMatchObject({ account: 'a', attempts: 1 })
    expect(pool.accounts.b.requests).toHaveLength(0)
  })

  test('has seen enough when it was kept waiting by a keep-alive', async () => {
    const gate = createGate()
    await using pool = await startPool(
      form,
      {
        async a(response, request) {
          await gate.opened
          await refusing(500)(response, request)
        },
        b: serving(form),
      },
      { timeouts: { keepAliveMs: 100 } },
    )

    const response = await ask(pool.gateway, form)
    gate.open()
    const { text } = await receive(response)

    expect(response.status).toBe(200)
    expect(text).toContain('refused with 500')
    expect(text).not.toMatch(form.success)
    await pool.gateway.logged(1)
    expect(pool.accounts.b.requests).toHaveLength(0)
  })

  test('is not moved on from an error event, either', async () => {
    const gate = createGate()
    await using pool = await startPool(form, {
      async a(response) {
        openStream(response, upToOutput(form))
        await gate.opened
        response.end(form.inBandError)
      },
      b: serving(form),
    })

    const response = await ask(pool.gateway, form)
    gate.open()
    const { text } = await receive(response)

    expect(text).toContain('overworked')
    await pool.gateway.logged(1)
    expect(pool.accounts.b.requests).toHaveLength(0)
  })
})

describe('announcements are held back for the sake of another account', () => {
  const { messages } = form

  test('no longer than agreed', async () => {
    const gate = createGate()
    await using pool = await startPool(
      messages,
      {
        async a(response) {
          openStream(response, messages.announcements)
          await gate.opened
          cut(response)
        },
        b: serving(messages),
      },
      { timeouts: { holdMs: 100 } },
    )

    const reader = (await ask(pool.gateway, messages)).body!.getReader()
    const held = messages.announcements.join('')
    const text = await receiveUntil(reader, (text) => text.length >= held.length)
    gate.open()

    expect(text).toBe(held)
    const tail = await receiveUntil(reader, (text) => text.endsWith('\n\n'))
    expect(readToldError(messages, tail).status).toBe(502)
    expect(pool.accounts.b.requests).toHaveLength(0)
  })

  test('and no more of them than 16 KiB', async () => {
    const gate = createGate()
    const pings = messages.keepAlive.repeat(Math.ceil(17_000 / messages.keepAlive.length))
    await using pool = await startPool(
      messages,
      {
        async a(response) {
          openStream(response, [...messages.announcements, pings])
          await gate.opened
          cut(response)
        },
        b: serving(messages),
      },
      { timeouts: { holdMs: 60_000, keepAliveMs: 60_000 } },
    )

    const response = await ask(pool.gateway, messages)
    gate.open()
    const { text } = await receive(response)

    const good = messages.announcements.join('') + pings
    expect(text.startsWith(good)).toBe(true)
    expect(readToldError(messages, text.slice(good.length)).status).toBe(502)
    expect(pool.accounts.b.requests).toHaveLength(0)
  })
})
