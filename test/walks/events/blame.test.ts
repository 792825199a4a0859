import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { type Answer, answerStream } from '../../../src/testing/fake-account.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { guardrail } from './guardrails.ts'

/** Ends every reply with an error of its own. */
const blocking = (status: number) =>
  guardrail((event, emit) => {
    const told = { type: 'error', message: 'This is not talked about here.', status } as const
    emit(event.type === 'delta' ? told : event)
  }, 'blocking')

/** Says errors in other words. */
const rewording = guardrail((event, emit) => {
  emit(event.type === 'error' ? { ...event, message: 'Something went wrong.' } : event)
}, 'rewording')

describe.each([{ stream: true }, { stream: false }])('stream: $stream', ({ stream }) => {
  test.each([{ status: 422 }, { status: 500 }])(
    'an error $status that a plugin made opens no circuit, and no other account is asked',
    async ({ status }) => {
      const outcomes: Outcome[] = []
      await using mixed = await startMixed(
        { a: { form: form.chat }, b: { form: form.messages } },
        { plugins: [blocking(status), rewording, listening(outcomes)] },
      )

      // A circuit opens after five failures in a row.
      for (let call = 0; call < 8; call++) {
        const response = await ask(mixed.gateway, form.chat, { stream })
        expect(response.status).toBe(status)
        expect((await receive(response)).text).toContain('Something went wrong.')
      }

      expect(mixed.accounts.a.requests).toHaveLength(8)
      expect(mixed.accounts.b.requests).toHaveLength(0)
      expect(outcomes.map(({ fault }) => fault)).toEqual(Array(8).fill('gateway'))
    },
  )
})

test('an error that a plugin throws for the client is no account’s either', async () => {
  const outcomes: Outcome[] = []
  const throwing = guardrail((event, emit) => {
    if (event.type === 'delta') throw new GatewayError('invalid_request', 'Not here.')
    emit(event)
  }, 'throwing')
  await using mixed = await startMixed(
    { a: { form: form.chat }, b: { form: form.messages } },
    { plugins: [rewording, throwing, listening(outcomes)] },
  )

  const response = await ask(mixed.gateway, form.chat, { stream: false })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { message: 'Not here.' } })
  expect(outcomes.map(({ fault }) => fault)).toEqual(['gateway'])
  expect(mixed.accounts.b.requests).toHaveLength(0)
})

test('an error that the account told of stays the account’s, in whichever words', async () => {
  const outcomes: Outcome[] = []
  await using mixed = await startMixed(
    { only: { form: form.chat, script: failing } },
    { plugins: [rewording, listening(outcomes)] },
  )

  const response = await ask(mixed.gateway, form.chat)

  expect((await receive(response)).text).toContain('Something went wrong.')
  expect(outcomes.map(({ fault }) => fault)).toEqual(['account'])
})

function listening(outcomes: Outcome[]) {
  return definePlugin({
    name: 'listening',
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
}

const failing: Answer = answerStream([
  `data: ${JSON.stringify({ error: { message: 'overloaded', type: 'server_error', code: 500 } })}\n\n`,
])
