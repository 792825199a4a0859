import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { openPlace } from './dragoman.ts'
import { withStreamInFlight } from './shutting-down.ts'

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
