import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { until } from '../../../src/testing/until.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { createGate } from '../streams/scripted.ts'
import { changing, instructing, masking } from './changers.ts'

const names = ['chat', 'messages', 'responses', 'generate'] as const

async function asked(plugins: GatewayPlugin[], name: (typeof names)[number] = 'chat') {
  const timeouts = { pluginMs: 50 }
  const accounts = { a: { form: form[name] }, b: { form: form.messages } }
  await using mixed = await startMixed(accounts, { plugins, timeouts })
  const response = await ask(mixed.gateway, form[name], { stream: false })
  const text = await response.text()
  await mixed.gateway.logged(1)
  const sent = [...mixed.accounts.a.requests, ...mixed.accounts.b.requests]
  return { status: response.status, text, log: [...mixed.gateway.log], sent }
}

type Careless = (request: GenerateRequest) => unknown

/** A plugin in plain JavaScript. */
const plain = (change: Careless): GatewayPlugin =>
  definePlugin({ name: 'mine', onRequest: ({ request }) => change(request) as never })

const garbage: [string, RegExp, Careless][] = [
  ['nothing', /returned no request/, () => undefined],
  ['a text', /returned no request/, () => 'request'],
  ['no turns', /`turns` is not a list/, (one) => ({ ...one, turns: undefined })],
  [
    'a role of its own',
    /`turns\[0\]\.role` is not one of/,
    (one) => ({ ...one, turns: [{ role: 'me' }] }),
  ],
  [
    'a text that is a number',
    /`turns\[0\]\.content\[0\]\.text` is not a string/,
    (one) => ({ ...one, turns: [{ role: 'user', content: [{ type: 'text', text: 1 }] }] }),
  ],
  [
    'a tool without a name',
    /`tools\[0\]\.name`/,
    (one) => ({ ...one, tools: [{ kind: 'function' }] }),
  ],
  [
    'a stream that the client did not ask for',
    /changed `stream`/,
    (one) => ({ ...one, stream: true }),
  ],
  [
    'a number too large',
    /`maxOutputTokens` is not a number/,
    (one) => ({ ...one, maxOutputTokens: Infinity }),
  ],
  [
    'parameters that contain themselves',
    /`tools\[0\]\.parameters` is not an object of JSON/,
    (one) => {
      const parameters: Record<string, unknown> = {}
      parameters.self = parameters
      return { ...one, tools: [{ kind: 'function', name: 'f', parameters }] }
    },
  ],
  [
    'the request that it has changed in place',
    /read only|not extensible/,
    (one) => {
      const [turn] = one.turns
      if (turn?.role === 'user') Object.assign(turn.content[0]!, { text: 'mine' })
      return one
    },
  ],
]

describe.each(names)('a client of %s', (name) => {
  test.each(dailyRows(garbage, names.indexOf(name)))(
    'gets a 500 where a plugin returns %s',
    async (_, reason, change) => {
      const { status, text, log, sent } = await asked([masking('hello'), plain(change)], name)

      expect({ status, text }).toMatchObject({ status: 500 })
      expect(text).not.toMatch(reason)
      expect(sent).toEqual([])
      expect(log).toMatchObject([{ plugin: 'mine', msg: 'mine: onRequest failed' }])
      expect(log[0]?.error).toMatch(reason)
    },
  )

  test('gets the refusal of a plugin in its own words', async () => {
    const refusing = changing(() => {
      throw new GatewayError('plugin_rejected', 'No card numbers, please.')
    })
    const { status, text, log, sent } = await asked([refusing], name)

    expect(status).toBe(422)
    expect(text).toContain('No card numbers, please.')
    expect(sent).toEqual([])
    expect(log).toEqual([])
  })

  test('gets a 500 where a plugin does not answer in time', async () => {
    const hanging = changing(() => new Promise(() => {}), 'hanging')
    const { status, log, sent } = await asked([hanging], name)

    expect(status).toBe(500)
    expect(sent).toEqual([])
    expect(log).toMatchObject([
      { plugin: 'hanging', error: expect.stringContaining('within 50 ms') as string },
    ])
  })
})

test('a plugin that answers after its client has left is not heard, and nothing is sent', async () => {
  const gate = createGate()
  const begun = createGate()
  const slow = changing(async (request) => {
    begun.open()
    await gate.opened
    return request
  })
  await using mixed = await startMixed({ a: { form: form.chat } }, { plugins: [slow] })
  const leaving = new AbortController()
  const answer = ask(mixed.gateway, form.chat, { signal: leaving.signal })
  await begun.opened
  leaving.abort()

  await expect(answer).rejects.toThrow()
  const [line] = await mixed.gateway.logged(1)
  expect(line).toMatchObject({ error_type: 'client_closed_request' })
  expect(mixed.gateway.gateway.inflight()).toBe(0)
  gate.open()
  const again = await ask(mixed.gateway, form.chat)
  await again.text()
  expect(mixed.accounts.a.requests).toHaveLength(1)
})

test('a plugin that throws after its client has left is named in the log', async () => {
  const gate = createGate()
  const begun = createGate()
  const failing = changing(async () => {
    begun.open()
    await gate.opened
    throw new Error('too late')
  }, 'failing')
  await using mixed = await startMixed({ a: { form: form.chat } }, { plugins: [failing] })
  const leaving = new AbortController()
  const answer = ask(mixed.gateway, form.chat, { signal: leaving.signal })
  await begun.opened
  leaving.abort()
  await expect(answer).rejects.toThrow()
  await mixed.gateway.logged(1)
  gate.open()

  await until(() => mixed.gateway.log.length > 0)
  expect(mixed.gateway.log).toMatchObject([{ plugin: 'failing', error: 'Error: too late' }])
})

test('a request of 10 MB that a plugin makes is sent, and larger ones are its failure', async () => {
  const long = instructing('x'.repeat(10 * 1024 * 1024))
  const { status, sent } = await asked([long])
  expect(status).toBe(200)
  expect(sent[0]?.body.length).toBeGreaterThan(10 * 1024 * 1024)

  const longer = instructing('x'.repeat(65 * 1024 * 1024))
  const refused = await asked([longer])
  expect(refused.status).toBe(500)
  expect(refused.sent).toEqual([])
  expect(refused.log).toMatchObject([{ plugin: 'instructing' }])
})

test('a large body is changed where it stands, in turns of the event loop', async () => {
  const filler = 'y'.repeat(200)
  const messages = Array.from({ length: 20_000 }, (_, index) => ({
    role: 'user',
    content: `${index} ${filler} secret`,
    x_index: index,
  }))
  await using mixed = await startMixed({ a: { form: form.chat } }, { plugins: [masking('secret')] })
  const response = await ask(mixed.gateway, form.chat, { stream: false, fields: { messages } })

  expect(response.status).toBe(200)
  const body = JSON.stringify({ model: 'm', stream: false, messages })
  expect(mixed.accounts.a.requests[0]?.body.toString()).toBe(body.replaceAll('secret', '[hidden]'))
})
