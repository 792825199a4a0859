import { expect, test } from 'vitest'

import { createLiveAccounts } from '../../src/accounts/live.ts'
import type { AccountSetting } from '../../src/contract/account.ts'
import type { Dialect } from '../../src/contract/dialect.ts'
import type { AccountStates } from '../../src/stores/account-states.ts'

const dialects = [
  { id: 'chat', upstream: { base: 'bare', providers: { some: {} } } },
] as unknown as readonly Dialect[]

/** Accounts that count how often their models are compiled. */
function countingAccounts(length: number) {
  const compiled = { count: 0 }
  const accounts = Array.from({ length }, (_, index): AccountSetting => {
    const names = [`m-${index}`, 'shared']
    return {
      id: `a-${index}`,
      provider: 'some',
      baseUrl: 'http://127.0.0.1:9',
      models: new Proxy(names, {
        get(target, name, receiver) {
          if (name === 'filter') compiled.count++
          return Reflect.get(target, name, receiver) as unknown
        },
      }),
      weight: 1,
      priority: 0,
      enabled: true,
      replyModel: 'account',
      asksForUsage: true,
    }
  })
  return { accounts, compiled }
}

test('a change of one of many accounts compiles that one alone, and keeps the others as they are', () => {
  const { accounts, compiled } = countingAccounts(50)
  const listeners: (() => void)[] = []
  let disabled: ReadonlySet<string> = new Set()
  const states: Pick<AccountStates, 'disabled' | 'onChange'> = {
    get disabled() {
      return disabled
    },
    onChange: (listener) => void listeners.push(() => listener({ off: [], on: [] })),
  }
  const live = createLiveAccounts({
    configured: { accounts, aliases: { b: 'm-7', z: 'm-3' } },
    dialects,
    states,
    update() {},
  })
  const before = live.snapshot
  const whole = compiled.count
  const switchTo = (ids: readonly string[]) => {
    disabled = new Set(ids)
    for (const listener of listeners) listener()
  }

  switchTo(['a-7'])
  expect(compiled.count - whole).toBe(whole / accounts.length)
  const off = live.snapshot
  expect(off.accounts.filter((one, index) => one !== before.accounts[index])).toMatchObject([
    { id: 'a-7', enabled: false },
  ])
  expect(before.modelNames.filter((name) => !off.modelNames.includes(name))).toEqual(['b', 'm-7'])
  // An account that stays disabled is not compiled again.
  const former = compiled.count
  switchTo(['a-7', 'a-9'])
  expect(compiled.count - former).toBe(whole / accounts.length)
  expect(live.snapshot.accounts[7]).toBe(off.accounts[7])

  switchTo([])
  expect(live.snapshot.modelNames).toEqual(before.modelNames)
  expect(live.snapshot.modelNames).toEqual([...before.modelNames].sort())
  // It begins with an empty record, as each account that was changed does.
  expect(live.snapshot.accounts[7]).not.toBe(before.accounts[7])
  expect(live.snapshot.accounts[7]).toMatchObject({ id: 'a-7', enabled: true })
})
