import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { ask, receive, receiveUntil } from './asking.ts'
import { form } from './forms.ts'
import { createGate, openStream, stage } from './scripted.ts'
import { askWithoutReading, bigFrame, flood, type Flood, untilStuck } from './slow-reader.ts'
import { watchClients } from './watch-clients.ts'

const megabyte = 1024 * 1024
const { chat, messages } = form
/** Short enough to be copied from frame to frame. */
const frame = bigFrame(messages, 900)

test('a client of a translated stream that reads nothing makes its account wait', async () => {
  const floods: Flood[] = []
  await using scene = await stage(messages, (response) => {
    openStream(response, messages.announcements)
    floods.push(flood(response, frame))
  })

  const client = await askWithoutReading(scene.gateway, chat)
  await until(() => floods.length === 1)
  await untilStuck(floods[0]!)
  expect(floods[0]!.written).toBeLessThan(32 * megabyte)
  client.leave()
  await until(() => floods[0]!.closed)
})

test('a client of a translated stream that reads late gets every text', async () => {
  const most = 12 * megabyte
  const floods: Flood[] = []
  await using scene = await stage(messages, (response) => {
    openStream(response, messages.announcements)
    const onDone = () => response.end(messages.ending.join(''))
    floods.push(flood(response, frame, { most, onDone }))
  })

  const client = await askWithoutReading(scene.gateway, chat)
  await until(() => floods[0]?.blocked ?? false)
  const { text, reset } = await client.read()

  const texts = text.match(/(?<="content":")x+(?=")/g) ?? []
  expect(texts).toHaveLength(floods[0]!.written / Buffer.byteLength(frame))
  expect(new Set(texts)).toEqual(new Set(['x'.repeat(900)]))
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(reset).toBe(false)
})

test('the log tells how many bytes of a translated stream there were', async () => {
  await using scene = await stage(messages, async (response) => {
    openStream(response, messages.announcements)
    for (let piece = 0; piece < 20; piece++) {
      response.write(frame)
      await new Promise(setImmediate)
    }
    response.end(messages.ending.join(''))
  })
  const { text } = await receive(await ask(scene.gateway, chat))
  const [line] = await scene.gateway.logged(1)
  expect(line).toMatchObject({ bytes_out: Buffer.byteLength(text) })
})

test('what a client that left does not get of a translated stream is not counted', async () => {
  const gate = createGate()
  const clients = watchClients()
  await using scene = await stage(
    messages,
    async (response) => {
      openStream(response, [...messages.announcements, ...messages.output])
      await gate.opened
      for (let piece = 0; piece < 20; piece++) {
        response.write(frame)
        await new Promise(setImmediate)
      }
      response.end(messages.ending.join(''))
    },
    { clientGone: 'drain', plugins: [clients.plugin] },
  )
  const leaving = new AbortController()
  const { body } = await ask(scene.gateway, chat, { signal: leaving.signal })
  await receiveUntil(body!.getReader(), (text) => text.includes(' there'))
  leaving.abort()
  await clients.allGone()
  gate.open()

  const [line] = await scene.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'client_gone', output_tokens: 2 })
  expect(line!.bytes_out).toBeLessThan(2_000)
})
