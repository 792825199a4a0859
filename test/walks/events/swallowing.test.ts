import { describe, expect, test } from 'vitest'

import type { Outcome } from '../../../src/contract/outcome.ts'
import type { EventMapper } from '../../../src/generate/mapper.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { answerStream } from '../../../src/testing/fake-account.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form, upToOutput } from '../streams/forms.ts'
import { textOfBegun } from './begun.ts'
import { guardrail, rewriting, without } from './guardrails.ts'

const failure = 'A plugin of the gateway failed on this reply.'

const ways = [{ stream: true }, { stream: false }]

describe.each(ways)('a guardrail that swallows the end of a reply (stream: $stream)', (way) => {
  const plugins = [rewriting('a', 'b'), without('finish'), rewriting('c', 'd')]

  test('leaves its client with an error that says so', async () => {
    await using mixed = await startMixed({ only: { form: form.chat } }, { plugins })

    const response = await ask(mixed.gateway, form.chat, way)

    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      error: { code: 500, message: failure, details: [{ code: 'plugin_failed' }] },
    })
  })

  test('is told to the operators, with the exchange that it failed on', async () => {
    await using mixed = await startMixed({ only: { form: form.chat } }, { plugins })

    const response = await ask(mixed.gateway, form.chat, way)

    const [line] = await mixed.gateway.logged(1)
    expect(line).toMatchObject({ level: 'error', error_type: 'plugin_failed', account: 'only' })
    expect(mixed.gateway.log).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'without-finish: onEvents failed',
        plugin: 'without-finish',
        request_id: response.headers.get('x-request-id'),
        account: 'only',
        error: expect.stringContaining('the end of the reply') as string,
      }),
    ])
  })

  test('opens no circuit, and no other account is asked', async () => {
    const outcomes: Outcome[] = []
    await using mixed = await startMixed(
      { a: { form: form.chat }, b: { form: form.messages } },
      { plugins: [...plugins, listening(outcomes)] },
    )

    // A circuit opens after five failures in a row.
    for (let call = 0; call < 8; call++) await receive(await ask(mixed.gateway, form.chat, way))

    expect(mixed.accounts.a.requests).toHaveLength(8)
    expect(mixed.accounts.b.requests).toHaveLength(0)
    expect(outcomes.map(({ fault }) => fault)).toEqual(Array(8).fill('gateway'))
  })
})

test('a client that has read the reply by then learns it inside the stream', async () => {
  const text = await textOfBegun(without('finish'))

  expect(text).toContain('Hello')
  expect(text).toContain(failure)
  expect(text).not.toContain('[DONE]')
})

test('a stream that its account breaks off stays the account’s', async () => {
  const outcomes: Outcome[] = []
  const script = answerStream(upToOutput(form.chat))
  await using mixed = await startMixed(
    { only: { form: form.chat, script } },
    { plugins: [without('finish'), listening(outcomes)] },
  )

  const { text } = await receive(await ask(mixed.gateway, form.chat))

  expect(text).toContain('error')
  expect(text).not.toContain(failure)
  expect(outcomes.map(({ fault }) => fault)).toEqual(['account'])
  expect(mixed.gateway.log).toEqual([])
})

test.each(ways)('a guardrail that waits before it goes on fails (stream: $stream)', async (way) => {
  const wait: unknown = async (...[event, emit]: Parameters<EventMapper['map']>) => {
    await Promise.resolve()
    emit(event)
  }
  const slow = guardrail(wait as EventMapper['map'], 'slow')
  await using mixed = await startMixed({ only: { form: form.chat } }, { plugins: [slow] })

  const response = await ask(mixed.gateway, form.chat, way)

  expect(response.status).toBe(500)
  expect(await response.text()).toContain(failure)
  expect(mixed.gateway.log).toMatchObject([
    { plugin: 'slow', error: expect.stringContaining('returned a promise') as string },
  ])
})

function listening(outcomes: Outcome[]) {
  return definePlugin({
    name: 'listening',
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
}
