import { expect, test } from 'vitest'

import { ledgerRow } from '../../history/ledger-row.ts'
import { openDesk } from './desk.ts'

test('a cost that is unknown is a dash, not 0', async () => {
  await using desk = await openDesk()
  const rows = [
    ledgerRow({ model: 'known', costNano: 1_500_000_000 }),
    ledgerRow({ model: 'unpriced', costNano: null, uncosted: 'no_price' }),
    ledgerRow({ model: 'free', costNano: 0 }),
  ]
  await desk.gateway.running.store.ledger().append({ id: 'a', rows, counts: [] })
  const { stdout } = await desk.remote('usage --by model')
  expect(stdout).toMatch(/^known +1 +0 +10 +3 +1\.5 +0 +0$/m)
  expect(stdout).toMatch(/^unpriced +1 +0 +10 +3 +- +1 +0$/m)
  expect(stdout).toMatch(/^free +1 +0 +10 +3 +0 +0 +0$/m)
  expect(stdout).toMatch(/^TOTAL +3 +0 +30 +9 +1\.5 +1 +0$/m)
})
