import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { asDelivered, form, upToOutput } from '../walks/streams/forms.ts'
import { accountFor, openStream, stage } from '../walks/streams/scripted.ts'
import { readToldError } from '../walks/streams/told-error.ts'

const kinds = [{ stream: true }, { stream: false }]

describe.concurrent.each([form.chat, form['generate-array']])(
  'a $name client waits no longer than agreed',
  (form) => {
    test.each(kinds)('for the first byte (stream: $stream)', async ({ stream }) => {
      await using scene = await stage(form, () => {}, { timeouts: { firstByteMs: 200 } })

      const response = await ask(scene.gateway, form, { stream })

      expect(response.status).toBe(504)
      expect(await response.json()).toMatchObject({
        error: { code: 504, message: expect.stringContaining('did not reply in time') },
      })
      await until(() => scene.account.requests[0]!.aborted)
      expect((await scene.gateway.logged(1))[0]).toMatchObject({ error_type: 'upstream_timeout' })
    })

    test('between two bytes of a stream', async () => {
      await using scene = await stage(form, (response) => openStream(response, upToOutput(form)), {
        timeouts: { idleMs: 200 },
      })

      const { text } = await receive(await ask(scene.gateway, form))

      const { message, status } = readToldError(
        form,
        text.slice(asDelivered(form, upToOutput(form)).length),
      )
      expect({ message, status }).toEqual({
        message: 'The upstream did not continue in time.',
        status: 504,
      })
      await until(() => scene.account.requests[0]!.aborted)
    })

    test('between two bytes of a JSON reply', async () => {
      const script = (response: ServerResponse) => void response.writeHead(200).write('{"id":')
      await using scene = await stage(form, script, { timeouts: { idleMs: 200 } })

      const response = await ask(scene.gateway, form, { stream: false })

      expect(response.status).toBe(504)
      await until(() => scene.account.requests[0]!.aborted)
    })

    test('for the end of a stream that never falls silent', async () => {
      const script = (response: ServerResponse) => {
        openStream(response, form.announcements)
        const talk = setInterval(() => response.write(form.output[0]), 20)
        response.once('close', () => clearInterval(talk))
      }
      await using scene = await stage(form, script, { timeouts: { totalMs: 400, idleMs: 5_000 } })

      const { text } = await receive(await ask(scene.gateway, form))

      expect(text).toContain('The upstream did not finish in time.')
      await until(() => scene.account.requests[0]!.aborted)
      expect((await scene.gateway.logged(1))[0]).toMatchObject({
        stream_end: 'broken',
        error_type: 'upstream_timeout',
      })
    })
  },
)

test.concurrent.each(kinds)(
  'a client waits no longer than agreed for a connection (stream: $stream)',
  async (kind) => {
    // Takes the connection, and never shakes hands.
    const deaf = createServer()
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
    const { port } = deaf.address() as AddressInfo
    await using _closed = { [Symbol.asyncDispose]: async () => void deaf.close() }
    await using gateway = await createTestGateway({
      accounts: [accountFor(form.chat, 'deaf', `https://127.0.0.1:${port}`)],
      timeouts: { connectMs: 200 },
    })

    const response = await ask(gateway, form.chat, kind)

    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({
      error: { message: 'Connecting to the upstream took too long.' },
    })
    expect((await gateway.logged(1))[0]).toMatchObject({ error_type: 'upstream_timeout' })
  },
)

test('a client that waits for a JSON reply waits no longer than agreed in total', async () => {
  const script = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const talk = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(talk))
  }
  await using scene = await stage(form.chat, script, { timeouts: { totalMs: 400 } })

  const response = await ask(scene.gateway, form.chat, { stream: false })

  expect(response.status).toBe(504)
  await until(() => scene.account.requests[0]!.aborted)
})
