import { describe, expect, test } from 'vitest'

import { ask, receive } from '../walks/streams/asking.ts'
import { asDelivered, form, forms, upToOutput, wholeStream } from '../walks/streams/forms.ts'
import { createGate, openStream, stage } from '../walks/streams/scripted.ts'
import { readToldError } from '../walks/streams/told-error.ts'

describe.each(forms)('a client of a $name stream', (form) => {
  test('gets what came in one piece with an error, up to the error', async () => {
    const gate = createGate()
    const more = form.output[1]!
    await using scene = await stage(form, async (response) => {
      openStream(response, upToOutput(form))
      await gate.opened
      response.end(more + form.inBandError + form.ending.join(''))
    })

    const response = await ask(scene.gateway, form)
    gate.open()
    const { text } = await receive(response)

    const good = asDelivered(form, [...upToOutput(form), more])
    expect(text.slice(0, good.length)).toBe(good)
    expect(readToldError(form, text.slice(good.length)).message).toBe('overworked')
  })
})

/** The later ones end as whole frames do, after lines that say that they are no more than output. */
const halves = [
  'data: {"half',
  'event: content_block_delta\ndata: {"delta":{}',
  'event: response.output_text.delta\ndata: {"logprobs":[{}',
]

describe.each([form.responses, form.chat, form.messages])(
  'a client of a $name stream that was whole',
  (form) => {
    test.each(halves)('is not told of half a frame behind it: %j', async (half) => {
      const stream = wholeStream(form).join('')
      await using scene = await stage(form, (response) => {
        openStream(response)
        response.end(stream + half)
      })

      const received = await receive(await ask(scene.gateway, form))

      expect(received).toEqual({ text: stream, reset: false })
      expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
    })
  },
)

test.each([
  { form: form.chat, frames: wholeStream(form.chat).slice(0, -1) },
  { form: form.generate, frames: wholeStream(form.generate) },
  { form: form['generate-array'], frames: wholeStream(form.generate) },
])(
  'a $form.name client is told of half a frame where nothing says that it was the last',
  async (one) => {
    const gate = createGate()
    await using scene = await stage(one.form, async (response) => {
      openStream(response, one.frames)
      await gate.opened
      response.end('data: {"half')
    })

    const response = await ask(scene.gateway, one.form)
    gate.open()
    const { text } = await receive(response)

    const good = asDelivered(one.form, one.frames)
    expect(text.slice(0, good.length)).toBe(good)
    expect(readToldError(one.form, text.slice(good.length)).status).toBe(502)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
  },
)

test('an event that is a number is no output', async () => {
  const { responses } = form
  await using scene = await stage(responses, (response) => {
    openStream(response, [...responses.announcements, 'data: 7\n\n'])
    response.end([...responses.output, ...responses.ending].join(''))
  })
  const response = await ask(scene.gateway, responses)
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ error: { code: 502 } })
})

const chunk = (...reasons: (string | null)[]) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    choices: reasons.map((reason, index) => {
      return { index, delta: { content: 'word' }, finish_reason: reason }
    }),
  })}\n\n`

async function askChat(fields: Record<string, unknown>, frames: readonly string[]) {
  const gate = createGate()
  await using scene = await stage(form.chat, async (response) => {
    openStream(response, frames.slice(0, 1))
    await gate.opened
    response.end(frames.slice(1).join(''))
  })
  const response = await ask(scene.gateway, form.chat, { fields })
  gate.open()
  return await receive(response)
}

test('a client that asked for two choices gets both, though they share their chunks', async () => {
  const frames = [chunk(null), chunk('stop', null), chunk(null, 'stop')]
  expect(await askChat({ n: 2 }, frames)).toEqual({ text: frames.join(''), reset: false })
})

const done = 'data: [DONE]\n\n'

test.each([
  { what: 'never begins', fields: { n: 2 }, frames: [chunk(null), chunk('stop')], last: '' },
  { what: 'never ends', fields: {}, frames: [chunk(null, null), chunk('stop', null)], last: done },
  { what: 'has no reason to end', fields: {}, frames: [chunk(null), chunk(null)], last: '' },
  { what: 'has an empty reason', fields: {}, frames: [chunk(''), chunk('')], last: '' },
])('a chat client is told when a choice $what', async ({ fields, frames, last }) => {
  const { text } = await askChat(fields, [...frames, last])
  const good = frames.join('')
  expect(text.slice(0, good.length)).toBe(good)
  expect(readToldError(form.chat, text.slice(good.length)).status).toBe(502)
})

const candidate = (index: number, finishReason?: string) =>
  `data: ${JSON.stringify({
    candidates: [{ index, content: { parts: [{ text: 'word' }] }, finishReason }],
  })}\n\n`

test('a Gemini client that asked for two candidates is told when the later one has no end', async () => {
  const { generate } = form
  const frames = [candidate(0), candidate(1), candidate(0, 'STOP')]
  const gate = createGate()
  await using scene = await stage(generate, async (response) => {
    openStream(response, frames.slice(0, 1))
    await gate.opened
    response.write(frames[1])
    setImmediate(() => response.end(frames[2]))
  })
  const fields = { generationConfig: { candidateCount: 2 } }
  const response = await ask(scene.gateway, generate, { fields })
  gate.open()
  expect(await receive(response)).toMatchObject({ reset: true })
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })
})

test('a Gemini client is told when there is not one candidate', async () => {
  const usage = 'data: {"usageMetadata":{"promptTokenCount":3}}\n\n'
  await using scene = await stage(form.generate, (response) => {
    openStream(response)
    response.end(usage)
  })
  const response = await ask(scene.gateway, form.generate)
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ error: { code: 502, status: 'UNAVAILABLE' } })
})
