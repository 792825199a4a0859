import { hostname } from 'node:os'

import { expect, test, vi } from 'vitest'

import { packageVersion } from '../../../src/cli/versions.ts'
import { addressesOf, withoutAdmin, openPlace, statusWithKey } from '../../cli/dragoman.ts'
import { startCollector } from './collector.ts'

// It starts a process.
vi.setConfig({ testTimeout: 60_000 })

test('a trace names its gateway as metrics and logs do', async () => {
  await using collector = await startCollector()
  await using place = await openPlace()
  const config = { keys: [{ id: 'team', secret: 'my-secret' }], store: 'file:store' }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const server = place.start(withoutAdmin, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const { clients } = await addressesOf(server)
  await statusWithKey(clients, 'my-secret')
  server.child.kill('SIGTERM')
  await server.ended
  expect(collector.spans[0]?.resource).toMatchObject({
    'service.name': 'dragoman',
    'service.version': packageVersion(),
    'service.instance.id': `${hostname()}-${server.child.pid}`,
  })
})
