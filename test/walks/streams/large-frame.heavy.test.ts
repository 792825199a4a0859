import { describe, expect, test } from 'vitest'

import { ask, receive } from './asking.ts'
import { asDelivered, type Form, forms } from './forms.ts'
import { openStream, stage } from './scripted.ts'

const megabyte = 1024 * 1024

/** A frame of the form's output whose text is this one. */
function frameWith({ output }: Form, text: string): string {
  return output[1]!.replace(' there', text)
}

const namesOfEvents =
  'message_stop response.completed \\"finish_reason\\":null finishReason [DONE] error '

describe.each(forms)('a $name client', (form) => {
  test.each([
    { what: 'of 4 MB', text: 'x'.repeat(4 * megabyte) },
    { what: 'of 16 MB', text: 'x'.repeat(16 * megabyte) },
    { what: 'of 4 MB full of names of events', text: namesOfEvents.repeat(50_000) },
  ])('gets a single frame $what as it is', async ({ text }) => {
    const frames = [...form.announcements, form.output[0]!, frameWith(form, text), ...form.ending]
    await using scene = await stage(form, (response) => {
      openStream(response)
      response.end(frames.join(''))
    })

    const received = await receive(await ask(scene.gateway, form))

    const whole = asDelivered(form, frames) + (form.name === 'generate-array' ? ']' : '')
    expect(received.text.length).toBe(whole.length)
    expect(received.text === whole).toBe(true)
    expect(received.reset).toBe(false)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
  })

  test('gets a whole stream whatever the size of its first event', async () => {
    const sizes = [1, 15, 16, 17, 63, 64, 65, 127, 128, 256, 1024].map((size) => size * 1024)
    const streamOf = (size: number) => [
      ...form.announcements,
      frameWith(form, 'x'.repeat(size)),
      form.output[0]!,
      ...form.ending,
    ]
    await using scene = await stage(form, (response, { headers }) => {
      openStream(response)
      response.end(streamOf(Number(headers['x-session-id'])).join(''))
    })

    for (const size of sizes) {
      const response = await ask(scene.gateway, form, { headers: { 'x-session-id': String(size) } })
      const { text } = await receive(response)

      const closing = form.name === 'generate-array' ? ']' : ''
      expect(text === asDelivered(form, streamOf(size)) + closing, `${size} bytes`).toBe(true)
    }
  })

  test('is told when a frame is larger than the gateway takes', async () => {
    await using scene = await stage(
      form,
      (response) => openStream(response, [frameWith(form, 'x'.repeat(megabyte))]),
      { limits: { frameBytes: 100_000 } },
    )

    const response = await ask(scene.gateway, form)

    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error: { message: 'A frame of the stream is too large.' },
    })
  })
})
