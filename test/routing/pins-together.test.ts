import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../src/contract/errors.ts'
import { collectVerdicts } from '../../src/hooks/run-hooks.ts'
import { PluginFailures } from '../../src/hooks/plugin-failures.ts'
import type { StoredResource } from '../../src/contract/stored.ts'
import type { Pin } from '../../src/contract/call.ts'
import { definePlugin } from '../../src/contract/plugin.ts'

const kept = { value: { said: 'before' } } as unknown as StoredResource

const pin = (by: string, pinnedTo: string | undefined, more: Partial<Pin> = {}): Pin => ({
  by,
  pinnedTo,
  unavailable: (reason) => new GatewayError('no_account_available', reason),
  ...more,
})

/** What comes of two plugins that each pin a call. */
function together(...pins: [Pin, Pin]) {
  const plugins = pins.map((one) => {
    const plugin = definePlugin({ name: one.by, onCandidates: () => one })
    return { ...plugin, onCandidates: () => one }
  })
  return collectVerdicts(
    plugins,
    { exchange: {} as never, candidates: [] },
    new PluginFailures(() => {}),
  )
}

const a = pin('tenants', 'a')
const anywhere = pin('bindings', undefined, { stored: kept })
const keptAtA = pin('bindings', 'a', { stored: kept })
const b = pin('bindings', 'b')

describe.for([
  { order: 'in this order', turned: false },
  { order: 'the other way round', turned: true },
])('two plugins, $order,', ({ turned }) => {
  const both = (one: Pin, other: Pin) => (turned ? together(other, one) : together(one, other))

  test('pin a call to the one account that both or either name', () => {
    expect(both(a, keptAtA)).toMatchObject({ pin: { pinnedTo: 'a', stored: kept } })
    expect(both(a, anywhere)).toMatchObject({ pin: { pinnedTo: 'a', by: 'tenants', stored: kept } })
  })

  test('cannot pin it to two', () => {
    expect(() => both(a, b)).toThrow('different accounts')
  })
})
