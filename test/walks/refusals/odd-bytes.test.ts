import { describe, expect, test } from 'vitest'

import { answerJson, answerStream } from '../../../src/testing/fake-account.ts'
import { startPool, serving } from '../failover/pool.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask } from '../streams/asking.ts'
import { form, forms } from '../streams/forms.ts'

const { chat, generate, responses } = form

/** Lists in lists, far deeper than a recursive reader gets. */
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
/** A circuit opens after five failures in a row. */
const often = 7

describe.each(forms)('an error that is nested thousands deep reaches a $name client', (form) => {
  test.each([{ stream: true }, { stream: false }])(
    'as the error that it is, and opens no circuit (stream: $stream)',
    async (asking) => {
      const error = `{"error":{"message":"wrong","details":${deep}}}`
      await using pool = await startPool(form, {
        a: answerJson(error, { status: 400 }),
        b: serving(form),
      })

      for (let call = 0; call < often; call++) {
        expect((await ask(pool.gateway, form, asking)).status).toBe(400)
      }

      expect(pool.accounts.b.requests).toHaveLength(0)
      expect(pool.gateway.log).toEqual([])
    },
  )
})

describe.each(forms)('an event beyond the limits of replies reaches a $name client', (native) => {
  const many = `[${'{},'.repeat(250_000)}0]`
  test.each([
    ['nested', deep, native],
    ['long', many, native],
    ['nested', deep, native.name === 'chat' ? responses : chat],
    ['long', many, native.name === 'chat' ? responses : chat],
  ])('as a failure of its call alone (%s)', async (_, value, account) => {
    const frame = `event: x\ndata: {"type":"x","x":${value}}\n\n`
    const script = answerStream([frame])
    await using mixed = await startMixed({ a: { form: account, script } })

    for (let call = 0; call < often; call++) {
      const response = await ask(mixed.gateway, native, { stream: true })
      expect(response.status).toBe(502)
      expect(await response.text()).toContain('too deeply or has too many')
    }
    expect(mixed.gateway.log).toEqual([])
  })
})

test('an error inside a 200 that is nested thousands deep is a reply beyond the limits, and no 500', async () => {
  const error = `{"error":{"message":"wrong","code":400,"details":${deep}}}`
  await using pool = await startPool(chat, { a: answerJson(error) })

  for (let call = 0; call < often; call++) {
    expect((await ask(pool.gateway, chat, { stream: false })).status).toBe(502)
  }
  expect(pool.gateway.log).toEqual([])
})

test('a reply too deep to translate is no defect of the gateway, and opens no circuit', async () => {
  const call = `{"functionCall":{"name":"f","args":{"a":${deep}}}}`
  const reply = `{"candidates":[{"content":{"role":"model","parts":[${call}]},"finishReason":"STOP"}]}`
  await using mixed = await startMixed({ a: { form: generate, script: answerJson(reply) } })

  for (let time = 0; time < often; time++) {
    const response = await ask(mixed.gateway, chat, { stream: false })
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error: { details: [{ code: 'upstream_reply_too_large' }] },
    })
  }
  expect(mixed.gateway.log).toEqual([])
})

test('replies larger than the gateway holds open no circuit', async () => {
  const large = answerJson({ ...chat.reply, padding: 'x'.repeat(2_000) })
  await using pool = await startPool(chat, { a: large }, { limits: { replyBytes: 1_000 } })

  for (let call = 0; call < often; call++) {
    expect((await ask(pool.gateway, chat, { stream: false })).status).toBe(502)
  }
  expect(pool.gateway.log).toEqual([])
})

/** Halves of surrogate pairs, which have no form in UTF-8. */
const halves = ['m\ud800', '\udc00m', 'publisher/m\ud800']

describe.each([chat, responses, form.messages])('a $name client', (client) => {
  test.each(halves.map((model) => ({ model, shown: JSON.stringify(model) })))(
    'whose model is $shown is told so, whatever the account puts the name into',
    async ({ model }) => {
      await using mixed = await startMixed({ a: { form: generate } })

      const response = await ask(mixed.gateway, client, { model, stream: false })

      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { code: 400 } })
      expect(mixed.accounts.a.requests).toHaveLength(0)
      expect(mixed.gateway.log).toEqual([])
    },
  )
})

test('half a surrogate pair in a path is no valid path', async () => {
  await using pool = await startPool(generate, { a: serving(generate) })
  const path = generate.path('HALF', false).replace('HALF', 'm%ED%A0%80')

  const response = await fetch(pool.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${pool.gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(generate.body('m', false)),
  })

  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(pool.accounts.a.requests).toHaveLength(0)
})
