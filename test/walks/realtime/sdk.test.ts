import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'

import OpenAI from 'openai-7'
import { OpenAIRealtimeWS } from 'openai-7/realtime/ws'
import { expect, test } from 'vitest'

import { createAuthority } from '../../account-settings/certificates.ts'
import { realtimeStage } from './stage.ts'

/** TLS in front of a gateway, without which OpenAI's SDK does not connect. */
async function secured(port: number) {
  await using starting = new AsyncDisposableStack()
  const authority = starting.use(await createAuthority())
  const server = createServer(await authority.issue('gateway'), (socket) => {
    const gateway = connect(port, '127.0.0.1')
    socket.on('error', () => gateway.destroy()).pipe(gateway)
    gateway.on('error', () => socket.destroy()).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  starting.defer(() => void server.close())
  const started = starting.move()
  return {
    baseURL: `https://localhost:${(server.address() as AddressInfo).port}/v1`,
    ca: authority.ca,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

test("OpenAI's SDK speaks, hears and learns of errors", async () => {
  await using stage = await realtimeStage()
  await using front = await secured(Number(new URL(stage.gateway.url).port))
  const { baseURL, ca } = front
  const client = new OpenAI({ apiKey: stage.gateway.key, baseURL })
  const session = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { ca } }, client)
  const errors: unknown[] = []
  session.on('error', ({ error }) => errors.push(error))
  const done = new Promise<object>((resolve) =>
    session.on('response.done', ({ response }) => resolve(response)),
  )
  let text = ''
  session.on('response.output_audio_transcript.delta', ({ delta }) => (text += delta))
  session.socket.on('open', () => {
    session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Hi' } })
    session.send({ type: 'conversation.item.delete', item_id: 'none' })
    session.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    })
    session.send({ type: 'response.create' })
  })
  expect(await done).toMatchObject({ status: 'completed' })
  expect(text).toBe('You said: hello')
  expect(errors).toMatchObject([{ code: 'item_delete_invalid_item_id' }])
  const closed = once(session.socket, 'close')
  session.close()
  await closed
})
