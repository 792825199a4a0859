import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import type { EventMapper } from '../../../src/generate/mapper.ts'
import { until } from '../../../src/testing/until.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive, receiveUntil } from '../streams/asking.ts'
import { type Form, form, upToOutput } from '../streams/forms.ts'
import { createGate, openStream } from '../streams/scripted.ts'

/** Resolves in a later turn of the event loop. */
const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value))

/** A plugin whose mapper may wait. */
function waiting(map: EventMapper['map'], name = 'moderation'): GatewayPlugin {
  return definePlugin({ name, onEvents: () => ({ waits: true, map }) })
}

const forms = (['responses', 'chat', 'messages', 'generate'] as const).map((name) => form[name])

const pairs = forms.flatMap((client) =>
  forms.flatMap((account) => [false, true].map((stream) => ({ client, account, stream }))),
)

describe.each(dailyRows(pairs))(
  '$client.name on $account.name, stream: $stream',
  ({ client, account, stream }) => {
    const failing: [string, RegExp, EventMapper['map']][] = [
      [
        'that rejects',
        /the service is away/,
        () => Promise.reject(new Error('the service is away')),
      ],
      ['that never answers', /within 50 ms/, () => new Promise(() => {})],
      [
        'that drops the end',
        /dropped the end/,
        async (event, emit) => {
          await later(event)
          if (event.type !== 'finish') emit(event)
        },
      ],
      [
        'that throws behind the end',
        /after all/,
        async (event, emit) => {
          emit(event)
          await later(event)
          if (event.type === 'finish') throw new Error('after all')
        },
      ],
    ]

    test.each(failing)('a plugin %s makes an error, never a success', async (_, reason, map) => {
      await using mixed = await startMixed(
        { a: { form: account } },
        { plugins: [waiting(map)], timeouts: { pluginMs: 50 } },
      )
      const response = await ask(mixed.gateway, client, { stream })
      const { text } = await receive(response)

      expect(text).not.toMatch(client.success)
      expect(text).not.toMatch(reason)
      if (!stream) expect(response.status).toBe(500)
      expect(await mixed.gateway.logged(1)).toMatchObject([{ error_type: 'plugin_failed' }])
      expect(mixed.gateway.log).toMatchObject([{ plugin: 'moderation', account: 'a' }])
      expect(mixed.gateway.log[0]?.error).toMatch(reason)
    })

    test('a client that leaves ends the waiting', async () => {
      const begun = createGate()
      const ended = createGate()
      const endless = waiting((_event, _emit, signal) => {
        begun.open()
        signal.addEventListener('abort', () => ended.open())
        return new Promise(() => {})
      })
      await using mixed = await startMixed({ a: { form: account } }, { plugins: [endless] })
      const leaving = new AbortController()
      const asked = ask(mixed.gateway, client, { stream, signal: leaving.signal })
      await begun.opened
      leaving.abort()
      await expect(asked).rejects.toThrow()

      await ended.opened
      await mixed.gateway.logged(1)
      expect(mixed.gateway.gateway.inflight()).toBe(0)
      expect(mixed.gateway.log).toEqual([])
    })
  },
)

describe.each(forms)('a stream of $name', (one: Form) => {
  test('is kept alive while a plugin waits, and then goes on', async () => {
    const gate = createGate()
    const slow = waiting(async (event, emit) => {
      if (event.type === 'delta') await gate.opened
      emit(event)
    })
    await using mixed = await startMixed(
      { a: { form: one } },
      { plugins: [slow], timeouts: { keepAliveMs: 20 } },
    )
    const response = await ask(mixed.gateway, one)
    const reader = response.body!.getReader()
    await receiveUntil(reader, (text) => text.includes(one.keepAlive))
    gate.open()

    expect(await receiveUntil(reader, (text) => one.success.test(text))).toContain('there')
  })

  test('reads no more of its account while a plugin waits', async () => {
    const gate = createGate()
    const slow = waiting(async (event, emit) => {
      if (event.type === 'delta') await gate.opened
      emit(event)
    })
    let written = 0
    const piece = one.output[1]!.repeat(1_000)
    const pieces = Math.ceil((64 * 1024 * 1024) / piece.length)
    await using mixed = await startMixed(
      {
        a: {
          form: one,
          async script(response) {
            openStream(response, upToOutput(one))
            for (let count = 0; count < pieces && !response.destroyed; count++) {
              written += piece.length
              if (!response.write(piece))
                await new Promise((resolve) => response.once('drain', resolve))
            }
          },
        },
      },
      { plugins: [slow] },
    )
    const leaving = new AbortController()
    const asked = ask(mixed.gateway, one, { signal: leaving.signal })
    await until(() => written > 0)
    for (let before = -1, turns = 0; turns < 200; turns++) {
      if (written !== before) turns = 0
      before = written
      await later(written)
    }

    expect(written).toBeLessThan(16 * 1024 * 1024)
    leaving.abort()
    await expect(asked.then((response) => response.text())).rejects.toThrow()
  })
})

test("an account's failure while a plugin waits follows what the plugin passes", async () => {
  const gate = createGate()
  const slow = waiting(async (event, emit) => {
    if (event.type === 'delta') await gate.opened
    emit(event)
  })
  await using mixed = await startMixed(
    {
      a: {
        form: form.messages,
        script(response) {
          openStream(response, upToOutput(form.messages))
          setImmediate(() => response.destroy())
        },
      },
    },
    { plugins: [slow] },
  )
  const asked = ask(mixed.gateway, form.chat)
  await until(() => mixed.accounts.a.requests[0]?.aborted === true)
  gate.open()

  const { text } = await receive(await asked)
  expect(text).toContain('Hello')
  expect(text).not.toMatch(form.chat.success)
  expect(await mixed.gateway.logged(1)).toMatchObject([{ stream_end: 'broken' }])
})
