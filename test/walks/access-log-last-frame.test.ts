import { expect, test } from 'vitest'

import type { GatewayPlugin } from '../../src/contract/plugin.ts'
import type { Answer } from '../../src/testing/fake-account.ts'
import { startMixed } from './losses/mixed.ts'
import { ask, receiveUntil } from './streams/asking.ts'
import { form, type FormName } from './streams/forms.ts'
import { openStream } from './streams/scripted.ts'
import { rewriting } from './events/guardrails.ts'

/** What a client waits for, and then closes its connection. Gemini has no such frame. */
const last: readonly { name: FormName; frame: string }[] = [
  { name: 'responses', frame: 'event: response.completed' },
  { name: 'chat', frame: 'data: [DONE]' },
  { name: 'messages', frame: 'event: message_stop' },
]

test.each(last)('a $name client that leaves with the last frame is not gone', async (one) => {
  expect(await lineOf(one, [])).toMatchObject(complete)
})

test.each(last)('nor is a $name client of a plugin that rewrites the stream', async (one) => {
  expect(await lineOf(one, [rewriting('Hello', 'Hi')])).toMatchObject(complete)
})

const complete = { status: 200, stream: true, stream_end: 'complete', level: 'info' }

/** What is logged of a client that closes its connection when it has seen the last frame. */
async function lineOf({ name, frame }: (typeof last)[number], plugins: GatewayPlugin[]) {
  await using mixed = await startMixed(
    { only: { form: form[name], script: neverClosing(name) } },
    { plugins },
  )
  const leaving = new AbortController()
  const { body } = await ask(mixed.gateway, form[name], { signal: leaving.signal })
  const isLast = (text: string) => text.includes(frame) && text.endsWith('\n\n')
  await receiveUntil(body!.getReader(), isLast)
  leaving.abort()
  const [line] = await mixed.gateway.logged(1)
  expect(line).not.toHaveProperty('error_type')
  return line
}

test('a client that leaves without reading what was written to it has left', async () => {
  const words = 'word '.repeat(20_000)
  await using mixed = await startMixed({ only: { form: form.chat, script: long(words) } })
  const leaving = new AbortController()

  await ask(mixed.gateway, form.chat, { signal: leaving.signal })
  leaving.abort()

  const [line] = await mixed.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'client_gone' })
})

/** An account that tells everything and leaves its connection open. */
function neverClosing(name: FormName): Answer {
  const { announcements, output, ending } = form[name]
  return (response) => openStream(response, [...announcements, ...output, ...ending])
}

/** More at once than connections hold for a client that does not read. */
function long(words: string): Answer {
  const chunk = { choices: [{ index: 0, delta: { content: words }, finish_reason: null }] }
  const frames = Array<string>(100).fill(`data: ${JSON.stringify(chunk)}\n\n`)
  return (response) => openStream(response, [...frames, ...form.chat.ending])
}
