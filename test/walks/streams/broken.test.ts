import type { ServerResponse } from 'node:http'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { ask, receive } from './asking.ts'
import { asDelivered, type Form, forms, upToOutput } from './forms.ts'
import { createGate, cut, openStream, stage } from './scripted.ts'
import { readToldError } from './told-error.ts'

interface Accident {
  readonly what: string
  /** What the account does once the client has seen output. */
  readonly happens: (response: ServerResponse, form: Form) => void
  readonly errorType: string
  readonly status: number
}

const half = ({ ending }: Form) => ending[0]!.slice(0, -10)

const accidents: readonly Accident[] = [
  {
    what: 'drops the connection',
    happens: cut,
    errorType: 'upstream_unreachable',
    status: 502,
  },
  {
    what: 'resets the connection',
    happens: (response) => response.socket?.resetAndDestroy(),
    errorType: 'upstream_unreachable',
    status: 502,
  },
  {
    what: 'falls silent',
    happens: () => {},
    errorType: 'upstream_timeout',
    status: 504,
  },
  {
    what: 'falls silent in the middle of a frame',
    happens: (response, form) => response.write(half(form)),
    errorType: 'upstream_timeout',
    status: 504,
  },
  {
    what: 'sends an event that is not JSON, and goes on',
    happens: (response, form) =>
      response.end(`data: {"oops",,\n\n${form.output[1]}${form.ending.join('')}`),
    errorType: 'upstream_stream_broken',
    status: 502,
  },
  {
    what: 'sends a part of an event, and goes on',
    happens: (response, { output, ending }) =>
      response.end(`${output[1]!.trimEnd().slice(0, -4)}\n\n${ending.join('')}`),
    errorType: 'upstream_stream_broken',
    status: 502,
  },
  {
    what: 'drops the connection in the middle of a frame',
    happens: (response, form) => {
      response.write(half(form))
      cut(response)
    },
    errorType: 'upstream_unreachable',
    status: 502,
  },
  {
    what: 'ends in good order in the middle of a frame',
    happens: (response, form) => response.end(half(form)),
    errorType: 'upstream_stream_broken',
    status: 502,
  },
  {
    what: 'ends in good order without its last event',
    happens: (response) => response.end(),
    errorType: 'upstream_stream_broken',
    status: 502,
  },
]

describe.concurrent.each(forms)('a client that has read some of a $name stream', (form) => {
  test.each(dailyRows(accidents, forms.indexOf(form)))(
    'is told in its dialect when the account $what',
    async ({ happens, errorType, status }) => {
      const gate = createGate()
      await using scene = await stage(
        form,
        async (response) => {
          openStream(response, upToOutput(form))
          await gate.opened
          happens(response, form)
        },
        { timeouts: { idleMs: 200 } },
      )

      const response = await ask(scene.gateway, form)
      gate.open()
      const { text, reset } = await receive(response)

      const good = asDelivered(form, upToOutput(form))
      expect(text.slice(0, good.length)).toBe(good)
      expect(readToldError(form, text.slice(good.length)).status).toBe(status)
      expect(text).not.toMatch(form.success)
      expect(reset).toBe(form.resets)
      const [line] = await scene.gateway.logged(1)
      expect(line).toMatchObject({
        level: 'error',
        status: 200,
        stream: true,
        stream_end: 'broken',
        error_type: errorType,
        account: 'only',
        attempts: 1,
      })
    },
  )

  test("gets the account's own error in the gateway's form, and nothing after it", async () => {
    const gate = createGate()
    await using scene = await stage(form, async (response) => {
      openStream(response, upToOutput(form))
      await gate.opened
      response.end(form.inBandError + form.ending.join(''))
    })

    const response = await ask(scene.gateway, form)
    gate.open()
    const { text, reset } = await receive(response)

    const good = asDelivered(form, upToOutput(form))
    expect(text.slice(0, good.length)).toBe(good)
    expect(readToldError(form, text.slice(good.length)).message).toBe('overworked')
    expect(text).not.toMatch(form.success)
    expect(reset).toBe(form.resets)
    const [line] = await scene.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken', error_type: 'upstream_rejected' })
  })
})
