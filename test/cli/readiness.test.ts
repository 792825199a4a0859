import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { addressesOf, anyPorts, openPlace, withoutAdmin } from './dragoman.ts'
import { accountAt, configOf, readiness, tire } from './readiness.ts'

test('operators see whose circuit is open, and clients nothing of it', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf([accountAt(sandbox.url)]))
  const { clients, operators } = await addressesOf(place.start(anyPorts))
  const rest = {
    status: 'ok',
    bindings: { waiting: 0, lost: 0 },
    jobs: { waiting: 0 },
    spool: { bytes: 0, usable: true },
    affinity: { failed_reads: 0, failed_writes: 0 },
    keys: { unreadable: 0 },
    limits: { waiting: 0, lost: 0 },
  }
  const processes = {
    complete: true,
    known: [expect.objectContaining({ ready: true, draining: false, stale: false })],
  }
  expect(await readiness(operators)).toEqual({
    ...rest,
    defects: 0,
    circuits: { open: 0, half_open: 0, accounts: [] },
    store: { reachable: true },
    processes,
    kept_out: [],
  })

  await tire(clients)

  expect(await readiness(clients)).toEqual({ status: 'ok' })
  // Questions to all processes share their answers for a moment.
  await expect
    .poll(() => readiness(operators))
    .toEqual({
      ...rest,
      store: { reachable: true },
      defects: 0,
      circuits: {
        open: 1,
        half_open: 0,
        accounts: [
          {
            account: 'tired',
            family: 'responses',
            model: 'sandbox/status=500',
            key: 'team',
            state: 'open',
            reason: 'circuit open: 5 of 5 calls got 500',
            open_ms: expect.any(Number) as number,
          },
        ],
      },
      processes,
      kept_out: [
        expect.objectContaining({ account: 'tired', kind: 'circuit', dialect: 'responses' }),
      ],
    })
})

test('without the admin API anybody sees how many circuits are open, and not whose', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf([accountAt(sandbox.url)]))
  const { clients } = await addressesOf(place.start(withoutAdmin))
  await tire(clients)
  const ready = await readiness(clients)
  expect(ready).toMatchObject({ status: 'ok', circuits: { open: 1, half_open: 0 } })
  expect(JSON.stringify(ready)).not.toContain('tired')
})
