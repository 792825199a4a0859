import { describe, expect, test } from 'vitest'

import type { Answer } from '../../src/testing/index.ts'
import { startMixed } from './losses/mixed.ts'
import { ask, receiveUntil } from './streams/asking.ts'
import { form, type FormName } from './streams/forms.ts'
import { openStream } from './streams/scripted.ts'
import { rewriting } from './events/guardrails.ts'

/** What a client waits for, and then closes its connection. */
const last: readonly { name: FormName; frame: string }[] = [
  { name: 'responses', frame: 'event: response.completed' },
  { name: 'chat', frame: 'data: [DONE]' },
  { name: 'messages', frame: 'event: message_stop' },
  { name: 'generate', frame: '"finishReason"' },
]

const settings = [
  { what: 'as its account writes it', plugins: [] },
  { what: 'as a plugin rewrites it', plugins: [rewriting('Hello', 'Hi')] },
]

describe.each(last)('a $name client that leaves with the last frame', ({ name, frame }) => {
  test.each(settings)('has had its whole stream, $what', async ({ plugins }) => {
    await using mixed = await startMixed(
      { only: { form: form[name], script: neverClosing(name) } },
      { plugins },
    )
    const leaving = new AbortController()

    const { body } = await ask(mixed.gateway, form[name], { signal: leaving.signal })
    await receiveUntil(body!.getReader(), (text) => text.slice(text.indexOf(frame)).endsWith('\n\n'))
    leaving.abort()

    const [line] = await mixed.gateway.logged(1)
    expect(line).toMatchObject({ status: 200, stream: true, stream_end: 'complete', level: 'info' })
    expect(line).not.toHaveProperty('error_type')
  })
})

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
  const { start, output, ending } = form[name]
  return (response) => void openStream(response, [...start, ...output, ...ending].join(''))
}

/** More at once than connections hold for a client that does not read. */
function long(words: string): Answer {
  const chunk = { choices: [{ index: 0, delta: { content: words }, finish_reason: null }] }
  const frames = Array(100).fill(`data: ${JSON.stringify(chunk)}\n\n`)
  return (response) => void openStream(response, [...frames, ...form.chat.ending].join(''))
}
