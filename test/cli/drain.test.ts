import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { drain } from '../../src/cli/drain.ts'
import type { Gateway } from '../../src/gateway.ts'
import { type Listener, listen } from '../../src/http/listen.ts'
import { until } from '../../src/testing/until.ts'

test('the deadline of a shutdown holds although the process has not stopped accepting yet', async () => {
  const stopped = Promise.withResolvers<void>()
  const said: string[] = []
  let inFlight = 1
  const gateway: Pick<Gateway, 'drain' | 'inflight' | 'interrupt'> = {
    drain: () => said.push('draining'),
    inflight: () => inFlight,
    interrupt() {
      inFlight = 0
      stopped.resolve()
    },
  }
  const listener: Pick<Listener, 'stopAccepting' | 'close' | 'lateRequests' | 'closeNow'> = {
    stopAccepting: () => stopped.promise,
    close: () => Promise.resolve(),
    lateRequests: () => 0,
    closeNow: () => {},
  }
  await drain({
    gateway: gateway as Gateway,
    listener: listener as Listener,
    say: (text) => said.push(text),
    onIdle: () => {},
    delayMs: 0,
    timeoutMs: 50,
  })
  expect(said).toEqual([
    'Shutting down: 1 exchange in flight. A second signal aborts them.',
    'The drain timeout has passed: aborting 1 exchange in flight.',
    'draining',
  ])
})

test('no connection ends while another worker accepts, on which its client would call next', async () => {
  const listener = await listen((_request, response) => response.end('{}'), {
    host: '127.0.0.1',
    port: 0,
  })
  let isDraining = false
  const gateway: Pick<Gateway, 'drain' | 'inflight' | 'interrupt'> = {
    drain: () => void (isDraining = true),
    inflight: () => 0,
    interrupt: () => {},
  }
  const socket = connect(listener.port, '127.0.0.1')
  const client = { text: '', ended: false }
  socket.setEncoding('latin1').on('data', (chunk: string) => (client.text += chunk))
  socket.once('end', () => (client.ended = true))
  await once(socket, 'connect')
  async function ask(): Promise<string> {
    client.text = ''
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await until(() => client.text.endsWith('{}'))
    return client.text
  }
  expect(await ask()).toMatch(/^connection: keep-alive/im)

  const { promise: othersStopped, resolve: stopOthers } = Promise.withResolvers<void>()
  const { promise: hasStopped, resolve: noteStopped } = Promise.withResolvers<void>()
  const drained = drain({
    gateway: gateway as Gateway,
    listener,
    say: () => {},
    onIdle: () => {},
    othersStop() {
      noteStopped()
      return othersStopped
    },
    delayMs: 0,
    timeoutMs: 60_000,
  })
  await hasStopped
  await expect(fetch(listener.url)).rejects.toThrow()
  expect(await ask()).toMatch(/^connection: keep-alive/im)
  expect([client.ended, isDraining]).toEqual([false, false])

  stopOthers()
  await until(() => isDraining)
  expect(await ask()).toMatch(/^connection: close/im)
  await drained
  expect(client.ended).toBe(true)
})
