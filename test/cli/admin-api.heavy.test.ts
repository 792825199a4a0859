import { test, vi } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts } from './dragoman.ts'
import { placeWith, ask } from './first-admin-token.ts'

// Each of these starts processes, and all of them at once.
vi.setConfig({ testTimeout: 90_000 })

test.concurrent('two gateways on one store that differ in their addresses show one hash', async ({
  expect,
}) => {
  const secret = 'b'.repeat(40)
  await using place = await placeWith({
    admin: { tokens: [{ id: 'ops', role: 'viewer', secret }] },
  })
  const first = place.start(`${anyPorts} --host 127.0.0.2`)
  const { operators } = await addressesOf(first)
  const env = { DRAGOMAN_PUBLIC_URL: 'https://b.example', DRAGOMAN_LOG_LEVEL: 'info' }
  const second = place.start(`${anyPorts} --admin-host localhost`, env)
  await second.said(/Listening on/)
  const query = '{ gateway { processes { configuration { hash } } } }'
  const hashes: string[] = []
  await until(async () => {
    const { gateway } = Object(await ask(operators, secret, query))
    hashes.splice(
      0,
      2,
      ...gateway.processes.map(
        (one: { configuration: { hash: string } }) => one.configuration.hash,
      ),
    )
    return hashes.length === 2
  })
  expect(hashes[0]).toBe(hashes[1])
})
