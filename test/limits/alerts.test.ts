import { expect, test } from 'vitest'

import { Alerts } from '../../plugins/limits/alerts.ts'
import type { ChargedLimit } from '../../plugins/limits/call-meter.ts'
import type { QuotaSetting } from '../../src/contract/quota.ts'
import { createLog } from '../../src/lib/log.ts'
import { compileLimits } from '../../src/limits/compile.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { collectLines } from '../../src/testing/lines.ts'

const quota: QuotaSetting = { kind: 'tokens', amount: 100, window: 'day', alerts: [0.5] }

/** A charge that brings a budget of 100 to 60. */
function chargeOf(more: Partial<QuotaSetting> = {}, subject = 'key:a'): ChargedLimit {
  const [source] = compileLimits({ type: 'key', id: 'a' }, [{ ...quota, ...more }])
  const limit = meterLimitOf(source!, Date.now(), { amountOf: ({ amount }) => amount })
  const state = { spent: 60, held: 0, remaining: 40, resetsAt: undefined }
  return { source: source!, subject, limit, amount: 20, state }
}

function alertsOn(sent: ConstructorParameters<typeof Alerts>[0]['sent']) {
  const { sink, lines } = collectLines()
  const alerts = new Alerts({ log: createLog(sink), sent, now: Date.now })
  return { alerts, lines }
}

test('end users that clients make up have ten alerts of a limit in a minute at most', async () => {
  const { alerts, lines } = alertsOn(openMemoryStore().records('alerts'))
  for (let user = 0; user < 1_000; user++)
    alerts.charged([chargeOf({ per: 'endUser' }, `key:a user ${user}`)])
  alerts.charged([chargeOf()])
  await alerts.close()
  expect(lines).toHaveLength(11)
  expect(alerts.count).toBe(1_001)
})

test('two processes that see the same charge alert once, and again for another amount', async () => {
  const store = openMemoryStore()
  const [one, other] = [alertsOn(store.records('alerts')), alertsOn(store.records('alerts'))]
  for (const { alerts } of [one, other]) alerts.charged([chargeOf()])
  one.alerts.charged([chargeOf({ amount: 90 })])
  await Promise.all([one.alerts.close(), other.alerts.close()])
  expect(one.lines.length + other.lines.length).toBe(2)
})

test('a store that is away keeps no alert back', async () => {
  const { alerts, lines } = alertsOn({ add: () => Promise.reject(new StoreUnavailable('away')) })
  alerts.charged([chargeOf()])
  await alerts.close()
  expect(lines).toHaveLength(1)
})
