import { expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'
import { startMixed } from '../losses/mixed.ts'
import { guardrail } from '../events/guardrails.ts'
import { ask, receive } from './asking.ts'
import { form, forms, wholeStream } from './forms.ts'
import { createGate, openStream } from './scripted.ts'

const clients = forms.filter(({ name }) => !name.startsWith('generate'))

/** A Gemini account that says all it has to say and leaves the connection open. */
function leavingOpen(frames = wholeStream(form.generate)) {
  return {
    form: form.generate,
    script: (response: Parameters<typeof openStream>[0]) => openStream(response, frames),
  }
}

test.each(clients)(
  'a $name client is told the end that a Gemini account leaves open',
  async (client) => {
    await using mixed = await startMixed({ only: leavingOpen() })

    const { text, reset } = await receive(await ask(mixed.gateway, client))

    expect(text).toContain('Hello')
    expect(text).toMatch(client.success)
    expect(reset).toBe(false)
    expect((await mixed.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
    await until(() => mixed.accounts.only.requests[0]?.aborted === true)
  },
)

test('so is a Gemini client whose reply a plugin reads', async () => {
  const plugins = [guardrail((event, emit) => emit(event))]
  await using mixed = await startMixed({ only: leavingOpen() }, { plugins })

  const { text, reset } = await receive(await ask(mixed.gateway, form.generate))

  expect(text).toMatch(form.generate.success)
  expect(reset).toBe(false)
})

test('a reply in one chunk is whole once its account has been silent for too long', async () => {
  const only = leavingOpen(form.generate.ending.slice())
  await using mixed = await startMixed({ only }, { timeouts: { idleMs: 300 } })

  const { text } = await receive(await ask(mixed.gateway, form.chat))

  expect(text).toMatch(/"content":"\."/)
  expect(text).toContain('[DONE]')
  expect((await mixed.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
})

test('a reply that has not come to its end is broken by the same silence', async () => {
  const only = leavingOpen(form.generate.output.slice())
  await using mixed = await startMixed({ only }, { timeouts: { idleMs: 300 } })

  const { text } = await receive(await ask(mixed.gateway, form.chat))

  expect(text).toContain('Hello')
  expect(text).not.toContain('[DONE]')
  expect((await mixed.gateway.logged(1))[0]).toMatchObject({ error_type: 'upstream_timeout' })
})

test('what an account says behind the end that it has left open reaches nobody', async () => {
  const isSettling = createGate()
  const mayEnd = createGate()
  const holding = definePlugin({
    name: 'holding',
    critical: true,
    async onOutcome() {
      isSettling.open()
      await mayEnd.opened
    },
  })
  const only = {
    form: form.generate,
    async script(response: Parameters<typeof openStream>[0]) {
      openStream(response, wholeStream(form.generate))
      await isSettling.opened
      response.write(form.generate.output[0]!.replace('Hello', 'Late'), () => mayEnd.open())
    },
  }
  await using mixed = await startMixed({ only }, { plugins: [holding] })

  const { text, reset } = await receive(await ask(mixed.gateway, form.chat))

  expect(text).toMatch(form.chat.success)
  expect(text).not.toContain('Late')
  expect(reset).toBe(false)
})
