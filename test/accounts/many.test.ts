import { expect, test } from 'vitest'

import { createLiveAccounts } from '../../src/accounts/live.ts'
import type { AccountSetting } from '../../src/contract/account.ts'
import type { Dialect } from '../../src/contract/dialect.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import type { OperatorStates } from '../../src/stores/operator-states.ts'
import { turnsOf } from '../admin/turns.ts'

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

/** The disabled accounts of a store, and the function that changes them. */
function changingStates() {
  const listeners: (() => MaybePromise<void>)[] = []
  let disabled: ReadonlySet<string> = new Set()
  const states: Pick<OperatorStates, 'disabled' | 'onChange'> = {
    get disabled() {
      return disabled
    },
    onChange: (listener) => void listeners.push(() => listener({ off: [], on: [] })),
  }
  return {
    states,
    async switchTo(ids: readonly string[]) {
      disabled = new Set(ids)
      for (const listener of listeners) await listener()
    },
  }
}

test('a change of one of many accounts compiles that one alone, and keeps the others as they are', async () => {
  const { accounts, compiled } = countingAccounts(50)
  const { states, switchTo } = changingStates()
  const live = createLiveAccounts({
    configured: { accounts, aliases: { b: 'm-7', z: 'm-3' } },
    dialects,
    states,
    update() {},
  })
  const before = live.snapshot
  const whole = compiled.count

  await switchTo(['a-7'])
  expect(compiled.count - whole).toBe(whole / accounts.length)
  const off = live.snapshot
  expect(off.accounts.filter((one, index) => one !== before.accounts[index])).toMatchObject([
    { id: 'a-7', enabled: false },
  ])
  expect(before.modelNames.filter((name) => !off.modelNames.includes(name))).toEqual(['b', 'm-7'])
  // An account that stays disabled is not compiled again.
  const former = compiled.count
  await switchTo(['a-7', 'a-9'])
  expect(compiled.count - former).toBe(whole / accounts.length)
  expect(live.snapshot.accounts[7]).toBe(off.accounts[7])

  await switchTo([])
  expect(live.snapshot.modelNames).toEqual(before.modelNames)
  expect(live.snapshot.modelNames).toEqual([...before.modelNames].sort())
  // It begins with an empty record, as each account that was changed does.
  expect(live.snapshot.accounts[7]).not.toBe(before.accounts[7])
  expect(live.snapshot.accounts[7]).toMatchObject({ id: 'a-7', enabled: true })
})

test('other work has turns while a change of one among many accounts takes effect', async () => {
  const { accounts } = countingAccounts(50)
  const { states, switchTo } = changingStates()
  const live = createLiveAccounts({
    configured: { accounts, aliases: {} },
    dialects,
    states,
    update() {},
  })
  expect(await turnsOf(() => switchTo(['a-7']))).toBeGreaterThan(accounts.length)
  expect(live.snapshot.accounts[7]).toMatchObject({ enabled: false })
})

test('changes that come while another one takes effect are part of it, a new configuration as well', async () => {
  const { accounts } = countingAccounts(50)
  const { states, switchTo } = changingStates()
  const live = createLiveAccounts({
    configured: { accounts, aliases: {} },
    dialects,
    states,
    update() {},
  })
  await turnsOf(async () => {
    const first = switchTo(['a-7'])
    await new Promise(setImmediate)
    const second = switchTo(['a-7', 'a-9'])
    await new Promise(setImmediate)
    live.configure({ accounts: accounts.slice(5), aliases: {} })
    await Promise.all([first, second])
  })
  const off = live.snapshot.accounts.filter(({ enabled }) => !enabled)
  expect(off.map(({ id }) => id)).toEqual(['a-7', 'a-9'])
  expect(live.snapshot.accounts).toHaveLength(45)
})
