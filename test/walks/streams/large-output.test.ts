import { expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { readers } from '../../translate/clients/index.ts'
import { startMixed } from '../losses/mixed.ts'
import { ask, receive, receiveUntil } from './asking.ts'
import { form } from './forms.ts'
import { startEnding } from './ending-account.ts'
import { accountFor, openStream } from './scripted.ts'
import { askWithoutReading } from './slow-reader.ts'
import {
  chunk,
  begin,
  done,
  calls,
  oneEvent,
  endOfCalls,
  clients,
  streamed,
} from './large-replies.ts'

const MiB = 1024 * 1024

const text = '“a\\b”\n\u0001😀 '.repeat((2 * MiB) / 10)

test.each([form.responses, form.messages, form.generate])(
  'a long text in one event reaches a $name client whole, with what stands around it',
  async (client) => {
    const frames = [begin, chunk({ content: 'before ' }), chunk({ content: text })]
    const behind = [
      chunk({ content: ' then ' }),
      chunk({ content: ' last' }),
      chunk({}, 'stop'),
      done,
    ]
    const wire = await streamed(client, [...frames, ...behind])
    const { text: read } = readers[client.name as 'responses'].stream(wire)
    expect(read === `before ${text} then  last`).toBe(true)
  },
)

test.each(dailyRows(clients))(
  'a $name client gets what came whole before an event that cannot be read',
  async (client) => {
    await using mixed = await startMixed({
      a: {
        form: form.chat,
        script: (response) => {
          openStream(response)
          response.end(`${begin}${oneEvent}data: {"no\n\n${endOfCalls}`)
        },
      },
    })
    const { text: wire } = await receive(await ask(mixed.gateway, client))
    // The arguments of the last call may go on.
    expect(wire).toContain(`f${calls.length - 2}`)
    expect(wire).not.toMatch(client.success)
    expect(await mixed.gateway.logged(1)).toMatchObject([{ stream_end: 'broken' }])
  },
)

test.each(dailyRows(clients, 1))(
  'a $name client gets all of the events that a reset connection leaves',
  async (client) => {
    await using account = await startEnding(`${begin}${oneEvent}`, {
      behind: endOfCalls,
      resets: true,
    })
    await using gateway = await createTestGateway({
      accounts: [accountFor(form.chat, 'a', account.url, { speaks: ['chat'] })],
    })
    const asked = ask(gateway, client)
    await until(() => gateway.gateway.held() > oneEvent.length)
    account.end()
    const { text: wire } = await receive(await asked)
    expect(wire).toContain(`f${calls.length - 1}`)
    expect(wire).toMatch(client.success)
    expect(await gateway.logged(1)).toMatchObject([{ stream_end: 'complete' }])
  },
)

test('a plugin that waits gets the events of a large one in order', async () => {
  const moderation = definePlugin({
    name: 'moderation',
    onEvents: () => ({
      waits: true,
      map(event, emit) {
        if (event.type !== 'delta' || !event.text.includes('50')) return emit(event)
        return new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
          emit({ ...event, text: event.text.replace('}', ',"seen":true}') }),
        )
      },
    }),
  })
  await using mixed = await startMixed(
    {
      a: {
        form: form.chat,
        script: (response) => {
          openStream(response)
          response.end(begin + oneEvent + endOfCalls)
        },
      },
    },
    { plugins: [moderation] },
  )
  const { text: wire } = await receive(await ask(mixed.gateway, form.messages))
  const read = readers.messages.stream(wire).calls
  expect(read.map((call) => call.name)).toEqual(calls.map((call) => call.function.name))
  expect(wire.match(/seen/g)).toHaveLength(
    calls.filter((call) => call.function.arguments.includes('50')).length,
  )
  expect(await mixed.gateway.logged(1)).toMatchObject([{ stream_end: 'complete' }])
})

/** Counts the pieces of texts that pass, and has an account send a long one. */
async function startCounting() {
  const passed = { count: 0 }
  const counting = definePlugin({
    name: 'counting',
    onEvents: () => ({
      map(event, emit) {
        if (event.type === 'delta') passed.count++
        emit(event)
      },
    }),
  })
  const mixed = await startMixed(
    {
      a: {
        form: form.chat,
        script: (response) => {
          openStream(response)
          response.end(begin + chunk({ content: 'x'.repeat(30 * MiB) }) + chunk({}, 'stop') + done)
        },
      },
    },
    { plugins: [counting] },
  )
  return { passed, mixed, [Symbol.asyncDispose]: () => mixed[Symbol.asyncDispose]() }
}

/** Resolves when a number has not changed for many turns of the event loop. */
async function settled(number: () => number): Promise<number> {
  for (let before = -1, turns = 0; turns < 200; turns++) {
    if (number() !== before) turns = 0
    before = number()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return number()
}

test('a long text waits for a client that reads slowly', async () => {
  await using counting = await startCounting()
  const { passed, mixed } = counting
  const reader = await askWithoutReading(mixed.gateway, form.messages)
  await until(() => passed.count > 0)
  expect(await settled(() => passed.count)).toBeLessThan(100)
  const { text: wire } = await reader.read()
  expect(passed.count).toBeGreaterThan(100)
  expect(readers.messages.stream(wire).text.length).toBe(30 * MiB)
})

test('no more of a long text is encoded for a client that has left', async () => {
  await using counting = await startCounting()
  const { passed, mixed } = counting
  const leaving = new AbortController()
  const response = await ask(mixed.gateway, form.messages, { signal: leaving.signal })
  await receiveUntil(response.body!.getReader(), (read) => read.includes('xxx'))
  leaving.abort()
  expect(await mixed.gateway.logged(1)).toMatchObject([{ stream_end: 'client_gone' }])
  expect(await settled(() => passed.count)).toBeLessThan(100)
  expect(mixed.gateway.gateway.held()).toBe(0)
})
