import { describe, expect, test } from 'vitest'

import { ask, receiveUntil } from './asking.ts'
import { asDelivered, form, type Form, forms, upToOutput, wholeStream } from './forms.ts'
import { createGate, openStream, stage } from './scripted.ts'
import { readToldError } from './told-error.ts'

const timeouts = { keepAliveMs: 100, idleMs: 10_000 }

/** Reads the rest, good or bad. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      chunks.push(value)
    }
  } catch {
    // A Gemini stream that breaks ends with a reset.
  }
  return Buffer.concat(chunks).toString()
}

/** Takes the keep-alives out; in an array they are white space between its elements. */
function withoutKeepAlives({ name, keepAlive }: Form, text: string): string {
  if (name !== 'generate-array') return text.replaceAll(keepAlive, '')
  return text.replaceAll(/^\n+|\n+(?=[,\]])|(?<!,)\n+$/g, '')
}

describe.concurrent.each(forms)('a client of a silent $name stream', (form) => {
  const twice = form.keepAlive.repeat(2)
  const whole = asDelivered(form, wholeStream(form)) + (form.name === 'generate-array' ? ']' : '')

  test('hears of it before the account has said a word, and gets the whole answer', async () => {
    const gate = createGate()
    await using scene = await stage(
      form,
      async (response) => {
        await gate.opened
        openStream(response)
        response.end(wholeStream(form).join(''))
      },
      { timeouts },
    )

    const response = await ask(scene.gateway, form)
    const reader = response.body!.getReader()
    const silence = await receiveUntil(reader, (text) => text.endsWith(twice))
    gate.open()
    const text = silence + (await rest(reader))

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-account')).toBe('only')
    expect(silence.replaceAll(form.keepAlive, '')).toBe('')
    expect(withoutKeepAlives(form, text)).toBe(whole)
  })

  test.each([
    { where: 'between two frames', of: form.output[1]!, at: 0 },
    { where: 'in the middle of a frame', of: form.output[1]!, at: 20 },
  ])('hears of it $where, and only between whole frames', async ({ of: frame, at }) => {
    const gate = createGate()
    const before = [...form.announcements, form.output[0]!]
    await using scene = await stage(
      form,
      async (response) => {
        openStream(response, [...before, frame.slice(0, at)])
        await gate.opened
        response.end(frame.slice(at) + form.ending.join(''))
      },
      { timeouts },
    )

    const reader = (await ask(scene.gateway, form)).body!.getReader()
    const good = asDelivered(form, before)
    const begin = await receiveUntil(reader, (text) => text.endsWith(good + twice))
    gate.open()
    const text = begin + (await rest(reader))

    // On a busy machine there are some before the first frame, too.
    const earlier = begin.slice(0, -(good + twice).length)
    expect(earlier.replaceAll(form.keepAlive, '')).toBe('')
    expect(withoutKeepAlives(form, text)).toBe(whole)
  })

  test.each([
    { what: 'an error', status: 429 },
    { what: 'a page instead of a stream', status: 200 },
  ])('is told inside the stream when $what follows the silence', async ({ status }) => {
    const gate = createGate()
    await using scene = await stage(
      form,
      async (response) => {
        await gate.opened
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end('{"error":{"message":"slow down"}}')
      },
      { timeouts },
    )

    const response = await ask(scene.gateway, form)
    const reader = response.body!.getReader()
    await receiveUntil(reader, (text) => text.endsWith(form.keepAlive))
    gate.open()
    const text = withoutKeepAlives(form, await rest(reader))

    expect(readToldError(form, text).status).toBe(status === 200 ? 502 : status)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ status: 200, stream_end: 'broken' })
  })

  test('is told inside the stream when the account falls silent for good', async () => {
    await using scene = await stage(form, (response) => openStream(response, upToOutput(form)), {
      timeouts: { keepAliveMs: 100, idleMs: 400 },
    })

    const reader = (await ask(scene.gateway, form)).body!.getReader()
    const text = withoutKeepAlives(form, await rest(reader))

    const good = asDelivered(form, upToOutput(form))
    expect(text.startsWith(good)).toBe(true)
    expect(readToldError(form, text.slice(good.length)).status).toBe(504)
  })
})

/** The forms in which an account may say something before its first output. */
const announced = forms.filter(({ announcements }) => announcements.length > 0)

test.concurrent.each(announced)(
  'a client of a $name stream whose first frames were held for a while hears of the silence behind them',
  async (form) => {
    const gate = createGate()
    await using scene = await stage(
      form,
      async (response) => {
        openStream(response, form.announcements)
        await gate.opened
        response.end([...form.output, ...form.ending].join(''))
      },
      { timeouts: { ...timeouts, keepAliveMs: 200, holdMs: 50 } },
    )

    const reader = (await ask(scene.gateway, form)).body!.getReader()
    const good = asDelivered(form, form.announcements) + form.keepAlive.repeat(2)
    const begin = await receiveUntil(reader, (text) => text.endsWith(good))
    gate.open()

    const text = withoutKeepAlives(form, begin + (await rest(reader)))
    expect(text).toBe(asDelivered(form, wholeStream(form)))
  },
)

test('a client that waits for a JSON reply gets nothing but the reply, however long it takes', async () => {
  const gate = createGate()
  const asked = form.chat
  await using scene = await stage(
    asked,
    async (response, { body }) => {
      const { stream } = JSON.parse(body.toString()) as { stream: boolean }
      if (stream) return
      await gate.opened
      response.end(JSON.stringify(asked.reply))
    },
    { timeouts },
  )

  const waiting = ask(scene.gateway, asked, { stream: false })
  const other = await ask(scene.gateway, asked)
  const reader = other.body!.getReader()
  await receiveUntil(reader, (text) => text.endsWith(asked.keepAlive.repeat(2)))
  gate.open()

  expect(await (await waiting).text()).toBe(JSON.stringify(asked.reply))
  await reader.cancel()
})
