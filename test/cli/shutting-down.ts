import { expect } from 'vitest'

import { type Sandbox } from '../../src/sandbox/index.ts'
import { addressesOf, anyPorts, type Place } from './dragoman.ts'

/** A server in the middle of a stream of a second and a half. */
export async function withStreamInFlight(place: Place, sandbox: Sandbox, timeouts = {}) {
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
