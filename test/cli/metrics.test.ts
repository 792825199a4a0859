import { expect, test } from 'vitest'

import { addressesOf, anyPorts, openPlace } from './dragoman.ts'
import { secret } from './running-workers.ts'

test('a gateway without the admin address, or without metrics, has none', async () => {
  await using place = await openPlace()
  const off = { telemetry: { metrics: false }, keys: [{ id: 'team', secret }], store: 'memory:' }
  await place.write('dragoman.config.json', JSON.stringify(off))
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  expect((await fetch(`${operators}/metrics`)).status).toBe(404)
  expect((await fetch(`${clients}/metrics`)).status).toBe(404)
})
