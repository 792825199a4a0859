import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'
import { ask, receive, receiveUntil } from './asking.ts'
import { asDelivered, forms, upToOutput, wholeStream } from './forms.ts'
import { createGate, cut, openStream, stage } from './scripted.ts'
import { askWithoutReading, bigFrame, flood, type Flood, untilStuck } from './slow-reader.ts'
import { readToldError } from './told-error.ts'

const edge = definePlugin({
  name: 'edge',
  http: { onResponse: ({ response }) => response.headers.set('x-edge', 'passed') },
})

describe.concurrent.each(forms)('behind an edge plugin, a client of a $name stream', (form) => {
  test('gets it as it is, kept alive while it is silent', async () => {
    const gate = createGate()
    await using scene = await stage(
      form,
      async (response) => {
        await gate.opened
        openStream(response)
        response.end(wholeStream(form).join(''))
      },
      { plugins: [edge], timeouts: { keepAliveMs: 100 } },
    )

    const response = await ask(scene.gateway, form)
    const reader = response.body!.getReader()
    const silence = await receiveUntil(reader, (text) => text.endsWith(form.keepAlive))
    gate.open()
    const whole = asDelivered(form, wholeStream(form))
    const text = silence + (await receiveUntil(reader, (text) => text.includes(whole)))

    expect(response.headers.get('x-edge')).toBe('passed')
    expect(text.startsWith(form.keepAlive)).toBe(true)
    await reader.cancel()
  })

  test('is told in its dialect when the stream breaks', async () => {
    const gate = createGate()
    await using scene = await stage(
      form,
      async (response) => {
        openStream(response, upToOutput(form))
        await gate.opened
        cut(response)
      },
      { plugins: [edge] },
    )

    const response = await ask(scene.gateway, form)
    gate.open()
    const { text, reset } = await receive(response)

    const good = asDelivered(form, upToOutput(form))
    expect(text.startsWith(good)).toBe(true)
    expect(readToldError(form, text.slice(good.length)).status).toBe(502)
    expect(reset).toBe(form.resets)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({
      stream_end: 'broken',
      error_type: 'upstream_unreachable',
    })
  })

  test('has its account let go when it leaves', async () => {
    await using scene = await stage(form, (response) => openStream(response, upToOutput(form)), {
      plugins: [edge],
    })
    const leaving = new AbortController()

    await ask(scene.gateway, form, { signal: leaving.signal })
    leaving.abort()

    await until(() => scene.account.requests[0]!.aborted)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'client_gone' })
  })

  test('makes its account wait while it reads nothing', async () => {
    const floods: Flood[] = []
    await using scene = await stage(
      form,
      (response) => {
        openStream(response, form.announcements)
        floods.push(flood(response, bigFrame(form, 16_000)))
      },
      { plugins: [edge] },
    )

    const client = await askWithoutReading(scene.gateway, form)
    await until(() => floods.length === 1)
    await untilStuck(floods[0]!)
    expect(floods[0]!.written).toBeLessThan(32 * 1024 * 1024)
    client.leave()

    await until(() => floods[0]!.closed)
  })
})
