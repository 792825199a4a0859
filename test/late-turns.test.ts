import { once } from 'node:events'
import { connect } from 'node:net'
import type { ServerResponse } from 'node:http'
import { setImmediate as nextImmediate } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { listen } from '../src/http/listen.ts'
import { isLongTurn, lateTurn } from '../src/lib/turns.ts'
import { startFakeAccount } from '../src/testing/fake-account.ts'
import { createTestGateway } from '../src/testing/gateway.ts'
import { until } from '../src/testing/until.ts'
import { ask, receive, receiveUntil } from './walks/streams/asking.ts'
import { asDelivered, form, forms } from './walks/streams/forms.ts'
import { accountFor, openStream, stage } from './walks/streams/scripted.ts'

const connections = 5

/** Works for longer than the events of one turn may take. */
function stall(): void {
  const end = performance.now() + 80
  while (performance.now() < end);
}

/** Counts the turns of the event loop. */
function countTurns() {
  const turns = { now: 0, [Symbol.dispose]: () => clearImmediate(next) }
  const count = () => {
    turns.now++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  return turns
}

/** Has every event wait for a later turn, behind another owner. */
function keepTurnsLong(): Disposable {
  let isKept = true
  const wait = () => void lateTurn('another owner').then(() => isKept && wait())
  wait()
  return { [Symbol.dispose]: () => void (isKept = false) }
}

test('events wait behind one that took long, for turns that owners share', async () => {
  await nextImmediate()
  expect(isLongTurn()).toBe(false)
  stall()
  expect(isLongTurn()).toBe(true)
  const served: string[] = []
  const waiting = ['a', 'a', 'a', 'b'].map(async (owner) => {
    await lateTurn(owner)
    served.push(owner)
  })
  await nextImmediate()
  // Nothing passes those that wait.
  expect(isLongTurn()).toBe(true)
  await Promise.all(waiting)
  expect(served).toEqual(['a', 'b', 'a', 'a'])
  await nextImmediate()
  expect(isLongTurn()).toBe(false)
})

test('requests of many connections that arrive at once are not all served in one turn', async () => {
  using turns = countTurns()
  const served: number[] = []
  const listener = await listen(
    (request, response) => {
      if (request.url === '/slow') {
        served.push(turns.now)
        stall()
      }
      response.end('{}')
    },
    { host: '127.0.0.1', port: 0 },
  )
  const sockets = Array.from({ length: connections }, () => connect(listener.port, '127.0.0.1'))
  const send = (path: string) => {
    const answers = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    return Promise.all(answers)
  }
  await send('/')
  const answers = (await send('/slow')).map(String)
  expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 200'))).toEqual([])
  expect(new Set(served).size).toBe(connections)
  for (const socket of sockets) socket.destroy()
  await listener.close()
})

test('frames of many accounts that arrive at once are not all read in one turn', async () => {
  using turns = countTurns()
  const read: number[] = []
  const opened: ServerResponse[] = []
  const { announcements, output, ending } = form.chat
  await using account = await startFakeAccount((response) => {
    openStream(response, announcements)
    opened.push(response)
  })
  const slow = {
    name: 'slow',
    onEvents: () => ({
      map(event: { type: string }, emit: (event: never) => void) {
        if (event.type === 'delta') {
          read.push(turns.now)
          stall()
        }
        emit(event as never)
      },
    }),
  }
  const accounts = [{ ...accountFor(form.chat, 'only', account.url), speaks: ['chat'] }]
  await using gateway = await createTestGateway({ accounts, plugins: [slow] })
  const asked = Array.from({ length: connections }, () => ask(gateway, form.messages))
  await until(() => opened.length === connections)
  for (const response of opened) response.write(output[0])
  await until(() => read.length === connections)
  expect(new Set(read).size).toBe(connections)
  for (const response of opened) response.end(ending.join(''))
  for (const response of await Promise.all(asked))
    expect((await receive(response)).text).toContain('Hello')
})

describe.each(forms)('frames of a $name stream that wait for later turns', (form) => {
  const frames = [...form.announcements, ...form.output, ...form.ending]

  test('reach the client whole and in their order', async () => {
    using _ = keepTurnsLong()
    await using scene = await stage(form, async (response) => {
      openStream(response)
      for (const frame of frames) {
        response.write(frame.slice(0, 20))
        await nextImmediate()
        response.write(frame.slice(20))
      }
      response.end()
    })
    const { text, reset } = await receive(await ask(scene.gateway, form))
    const closing = form.name === 'generate-array' ? ']' : ''
    expect([text, reset]).toEqual([asDelivered(form, frames) + closing, false])
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
  })

  test('are no success when the account breaks off, and nothing when the client leaves', async () => {
    using _ = keepTurnsLong()
    const beginning = [...form.announcements, form.output[0]!]
    let isCut = true
    await using scene = await stage(form, (response) => {
      openStream(response, beginning)
      if (isCut) response.end()
    })
    const { text } = await receive(await ask(scene.gateway, form))
    expect(text).not.toMatch(form.success)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'broken' })

    isCut = false
    const leaving = new AbortController()
    const response = await ask(scene.gateway, form, { signal: leaving.signal })
    await receiveUntil(response.body!.getReader(), (received) => received.includes('Hello'))
    leaving.abort()
    expect((await scene.gateway.logged(2))[1]).toMatchObject({ stream_end: 'client_gone' })
    expect(scene.gateway.gateway.held()).toBe(0)
  })
})
