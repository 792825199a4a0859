import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { addressesOf, anyPorts, openPlace, type Place } from './dragoman.ts'

test.concurrent('a signal lets what is in flight finish, and nothing new in', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  const { server, clients, operators, reply } = await withStreamInFlight(place, sandbox)
  server.child.kill('SIGTERM')
  await server.said(/Shutting down: 1 exchange in flight/)
  const ready = await fetch(`${operators}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({ status: 'draining', inflight: 1 })
  expect((await fetch(`${operators}/livez`)).status).toBe(200)
  await until(() => isRefused(clients))

  const text = await reply.text()
  expect(text.trimEnd()).toMatch(/data: \[DONE\]$/)
  expect(await server.ended).toMatchObject({ code: 0 })
  expect(server.output.stdout).toContain('"stream_end":"complete"')
})

test.concurrent('during a delay the gateway serves as before, so that balancers can notice', async () => {
  await using place = await openPlace()
  const server = place.start(anyPorts, { DRAGOMAN_DRAIN_DELAY_MS: '60000' })
  const { clients } = await addressesOf(server)
  server.child.kill('SIGTERM')
  await server.said(/Shutting down/)
  const ready = await fetch(`${clients}/readyz`)
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'keep-alive'])
})

test.concurrent('what takes too long is ended, and told so in its own dialect', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  const { server, reply } = await withStreamInFlight(place, sandbox, { drainMs: 300 })
  server.child.kill('SIGINT')
  await server.said(/drain timeout has passed: aborting 1 exchange in flight/)
  const text = await reply.text()
  expect(text).toContain('The gateway is shutting down.')
  expect(text).not.toContain('[DONE]')
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.concurrent('a second signal ends it at once; the double of a Ctrl-C through npm does not', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  const { server, reply } = await withStreamInFlight(place, sandbox)
  server.child.kill('SIGINT')
  server.child.kill('SIGINT')
  await server.said(/Shutting down/)
  const again = setInterval(() => server.child.kill('SIGINT'), 100)
  expect(await server.ended).toMatchObject({ code: 130 })
  clearInterval(again)
  await expect(reply.text()).rejects.toThrow()
})

test('the sandbox ends with a signal', async () => {
  await using place = await openPlace()
  const sandbox = place.start('sandbox --port 0')
  const [, url = ''] = await sandbox.said(
    /listens on (http:\S+);[^]*sandbox-key-a[^]*sandbox-key-b/,
  )
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  sandbox.child.kill('SIGINT')
  expect(await sandbox.ended).toMatchObject({ code: 0 })
})

/** A server in the middle of a stream of a second and a half. */
async function withStreamInFlight(place: Place, sandbox: Sandbox, timeouts = {}) {
  const account = { id: 'a', provider: 'sandbox', apiKey: 'sandbox-key-a', models: ['sandbox/*'] }
  await place.write(
    'dragoman.config.json',
    JSON.stringify({
      keys: [{ id: 'test', secret: 'a-test-secret' }],
      accounts: [{ ...account, baseUrl: sandbox.url }],
      timeouts,
    }),
  )
  const server = place.start(anyPorts)
  const addresses = await addressesOf(server)
  const reply = await fetch(`${addresses.clients}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer a-test-secret', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/words=15+pace=100',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    }),
  })
  expect(reply.status).toBe(200)
  return { server, reply, ...addresses }
}

/** Whether the address refuses a new connection. */
function isRefused(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}
