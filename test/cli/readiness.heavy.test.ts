import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from './dragoman.ts'
import { accountAt, configOf, readiness, tire } from './readiness.ts'

test('an account that is changed begins anew, for operators too', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf([accountAt(sandbox.url)]))
  const { clients, operators } = await addressesOf(place.start(anyPorts))
  await tire(clients)
  expect(await readiness(operators)).toMatchObject({ circuits: { open: 1 } })

  const mended = { ...accountAt(sandbox.url), apiKey: 'sandbox-key-b' }
  await place.write('dragoman.config.json', configOf([mended]))

  await until(async () => {
    const { circuits } = await readiness(operators)
    return (circuits as { open: number }).open === 0
  })
})
