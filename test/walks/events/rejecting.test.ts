import { describe, expect, test } from 'vitest'

import type { GenerateEvent } from '../../../src/generate/events.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { guardrail, rewriting } from './guardrails.ts'
import { pausing } from './pausing.ts'

const message = 'This is not talked about here.'

/** Ends every reply with an error instead of events of this kind. */
const rejecting = (type: GenerateEvent['type'], status: number) =>
  guardrail((event, emit) => {
    emit(event.type === type ? { type: 'error', message, status } : event)
  }, 'rejecting')

const ways = [{ stream: true }, { stream: false }]

describe.each(ways)('a guardrail’s own error (stream: $stream)', (way) => {
  test('is the plugin’s for the client, and no alarm for the operators', async () => {
    await using mixed = await startMixed(
      { only: { form: form.messages } },
      { plugins: [rejecting('delta', 422)] },
    )

    const response = await ask(mixed.gateway, form.chat, way)

    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      error: { code: 422, message, details: [{ code: 'plugin_rejected' }] },
    })
    const [line] = await mixed.gateway.logged(1)
    expect(line).toMatchObject({ level: 'info', status: 422, error_type: 'plugin_rejected' })
    expect(mixed.gateway.log).toEqual([])
  })

  test('is an alarm where the plugin says that something does not work', async () => {
    await using mixed = await startMixed(
      { only: { form: form.chat } },
      { plugins: [rejecting('delta', 503)] },
    )

    const response = await ask(mixed.gateway, form.chat, way)

    expect(response.status).toBe(503)
    const [line] = await mixed.gateway.logged(1)
    expect(line).toMatchObject({ level: 'error', error_type: 'plugin_rejected' })
  })

  test.each([{ status: undefined }, { status: 200 }, { status: 7 }, { status: '422' }])(
    'is a 422 where its status is none of an error ($status)',
    async ({ status }) => {
      await using mixed = await startMixed(
        { only: { form: form.chat } },
        { plugins: [rejecting('delta', status as number)] },
      )

      const response = await ask(mixed.gateway, form.chat, way)

      expect(response.status).toBe(422)
      expect(await response.text()).toContain(message)
    },
  )
})

test.each(ways)(
  'an error without words is told in the gateway’s (stream: $stream)',
  async (way) => {
    const wordless = guardrail((_, emit) => {
      emit({ type: 'error', status: 403 } as GenerateEvent)
    })
    await using mixed = await startMixed({ only: { form: form.chat } }, { plugins: [wordless] })

    const response = await ask(mixed.gateway, form.chat, way)

    expect(response.status).toBe(403)
    expect(await response.text()).toContain('A plugin of the gateway rejected this reply.')
  },
)

test('a stream that a guardrail blocks on its way is no alarm either', async () => {
  const { script, goOn } = pausing(form.chat)
  await using mixed = await startMixed(
    { only: { form: form.chat, script } },
    { plugins: [rejecting('stop', 422)] },
  )

  const response = await ask(mixed.gateway, form.chat)
  goOn()
  const { text } = await receive(response)

  expect(text).toContain('Hello')
  expect(text).toContain(message)
  const [line] = await mixed.gateway.logged(1)
  expect(line).toMatchObject({
    level: 'info',
    status: 200,
    stream_end: 'broken',
    error_type: 'plugin_rejected',
  })
})

test('a stream that its account ends with an error is one, whatever its status', async () => {
  const limited = { error: { message: 'slow down', code: 'rate_limit_exceeded' } }
  const { script, goOn } = pausing(form.chat, [`data: ${JSON.stringify(limited)}\n\n`])
  await using mixed = await startMixed(
    { only: { form: form.chat, script } },
    { plugins: [rewriting('a', 'b')] },
  )

  const response = await ask(mixed.gateway, form.chat)
  goOn()
  const { text } = await receive(response)

  expect(text).toContain('slow down')
  const [line] = await mixed.gateway.logged(1)
  expect(line).toMatchObject({
    level: 'error',
    stream_end: 'broken',
    error_type: 'upstream_rejected',
  })
})
