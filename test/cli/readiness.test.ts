import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace, withoutAdmin } from './dragoman.ts'

const secret = 'secret-of-this-test'

const accountAt = (url: string) => ({
  id: 'tired',
  provider: 'sandbox',
  baseUrl: url,
  apiKey: 'sandbox-key-a',
  models: ['*'],
})

const configOf = (accounts: readonly object[]) =>
  JSON.stringify({ keys: [{ id: 'team', secret }], store: 'memory:', accounts })

async function readiness(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}/readyz?verbose`)).json()) as Record<string, unknown>
}

/** Enough failures in a row to open the account's circuit for Responses. */
async function tire(clients: string): Promise<void> {
  for (let call = 0; call < 5; call++) {
    const response = await fetch(`${clients}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'sandbox/status=500', input: 'hi' }),
    })
    await response.body?.cancel()
  }
}

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
