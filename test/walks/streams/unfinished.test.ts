import { expect, test } from 'vitest'

import { ask, receive } from './asking.ts'
import { form, type Form } from './forms.ts'
import { createGate, openStream, stage } from './scripted.ts'
import { readToldError } from './told-error.ts'

const { chat, generate, 'generate-array': generateArray } = form

const choice = (index: number, finishReason: string | null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    choices: [{ index, delta: { content: 'word' }, finish_reason: finishReason }],
  })}\n\n`

const candidate = (index: number, finishReason?: string) =>
  `data: ${JSON.stringify({
    candidates: [{ index, content: { parts: [{ text: 'word' }] }, finishReason }],
  })}\n\n`

async function endOf(form: Form, fields: Record<string, unknown>, frames: readonly string[]) {
  const gate = createGate()
  await using scene = await stage(form, async (response) => {
    openStream(response, frames.slice(0, 1))
    await gate.opened
    response.end(frames.slice(1).join(''))
  })
  const response = await ask(scene.gateway, form, { fields })
  gate.open()
  const received = await receive(response)
  return { ...received, log: (await scene.gateway.logged(1))[0] }
}

test('a client that asked for two choices is told when one of them has no end', async () => {
  const frames = [choice(0, null), choice(1, null), choice(0, 'stop')]

  const { text, log } = await endOf(chat, { n: 2 }, frames)

  expect(text.startsWith(frames.join(''))).toBe(true)
  expect(readToldError(chat, text.slice(frames.join('').length)).status).toBe(502)
  expect(log).toMatchObject({ stream_end: 'broken', error_type: 'upstream_stream_broken' })
})

test('a client that asked for two choices gets both, though the account forgets [DONE]', async () => {
  const frames = [choice(0, null), choice(1, 'length'), choice(0, 'stop')]

  const { text, log } = await endOf(chat, { n: 2 }, frames)

  expect(text).toBe(frames.join(''))
  expect(log).toMatchObject({ stream_end: 'complete' })
})

test.each([
  { form: generate, fields: { generationConfig: { candidateCount: 2 } } },
  { form: generate, fields: { generation_config: { candidate_count: 2 } } },
  { form: generateArray, fields: { generationConfig: { candidateCount: 2 } } },
])(
  'a $form.name client that asked for two candidates is told when one has no end',
  async ({ form, fields }) => {
    const frames = [candidate(0), candidate(1), candidate(1, 'STOP')]

    const { reset, log } = await endOf(form, fields, frames)

    expect(reset).toBe(true)
    expect(log).toMatchObject({ stream_end: 'broken', error_type: 'upstream_stream_broken' })
  },
)

test('a Gemini client that asked for two candidates gets both', async () => {
  const frames = [candidate(0), candidate(1, 'MAX_TOKENS'), candidate(0, 'STOP')]

  const received = await endOf(generate, { generationConfig: { candidateCount: 2 } }, frames)

  expect(received).toMatchObject({ text: frames.join(''), reset: false })
})

test('a Gemini client whose prompt was blocked gets a whole answer without candidates', async () => {
  const blocked = 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n'

  const received = await endOf(generate, {}, [blocked])

  expect(received).toMatchObject({ text: blocked, reset: false, log: { stream_end: 'complete' } })
})
