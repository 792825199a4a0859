import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { addressesOf, anyPorts, openPlace } from './dragoman.ts'
import { withStreamInFlight } from './shutting-down.ts'

test.concurrent('during a delay the gateway serves as before, so that balancers can notice', async () => {
  await using place = await openPlace()
  const server = place.start(anyPorts, { DRAGOMAN_DRAIN_DELAY_MS: '60000' })
  const { clients } = await addressesOf(server)
  server.child.kill('SIGTERM')
  await server.said(/Shutting down/)
  const ready = await fetch(`${clients}/readyz`)
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'keep-alive'])
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
