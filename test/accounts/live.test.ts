import { expect, test } from 'vitest'

import { createLiveAccounts } from '../../src/accounts/live.ts'
import type { Snapshot } from '../../src/contract/candidate.ts'
import { ConfigurationError } from '../../src/contract/problems.ts'
import type { AccountSetting } from '../../src/contract/account.ts'
import { defineDialect } from '../../src/contract/dialect.ts'
import { errorEnvelope } from '../../src/kit/error-envelope.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import type { StateChanges } from '../../src/stores/operator-states.ts'

const dialect = defineDialect({
  id: 'words',
  operations: [],
  error: errorEnvelope,
  credential: () => undefined,
  upstream: {
    base: 'bare',
    providers: { p: { baseUrl: 'http://127.0.0.1:1' } },
    headers: () => ({}),
  },
})

const setting = (id: string, rest: Partial<AccountSetting> = {}): AccountSetting => ({
  id,
  provider: 'p',
  models: ['m'],
  asksForUsage: true,
  weight: 1,
  priority: 0,
  enabled: true,
  replyModel: 'account',
  ...rest,
})

/** Live accounts, and a switch for them. */
function live(...accounts: AccountSetting[]) {
  const listeners: Array<(switched: StateChanges) => MaybePromise<void>> = []
  const updates: Snapshot[] = []
  const states = {
    disabled: new Set<string>(),
    onChange: (listener: (typeof listeners)[number]) => void listeners.push(listener),
  }
  const made = createLiveAccounts({
    configured: { accounts, aliases: {} },
    dialects: [dialect],
    states,
    update: (snapshot) => updates.push(snapshot),
  })
  const switchOff = async (...ids: string[]) => {
    states.disabled = new Set(ids)
    for (const listener of listeners) await listener({ off: ids, on: [] })
  }
  return { accounts: made, switchOff, updates }
}

const serving = ({ accounts }: Snapshot) =>
  accounts.filter(({ enabled }) => enabled).map(({ id }) => id)

test('an account serves where neither configuration nor store disables it', async () => {
  const { accounts, switchOff, updates } = live(
    setting('a'),
    setting('b'),
    setting('c', { enabled: false }),
  )
  expect([serving(accounts.snapshot), accounts.size, updates]).toEqual([['a', 'b'], 2, []])
  await switchOff('b', 'c', 'stranger')
  expect([serving(accounts.snapshot), accounts.size]).toEqual([['a'], 1])
  expect(updates).toEqual([accounts.snapshot])
  await switchOff()
  expect(serving(accounts.snapshot)).toEqual(['a', 'b'])
})

test('accounts that nobody switched stay the same objects, and one that comes back is new', async () => {
  const { accounts, switchOff } = live(setting('a'), setting('b'))
  const [a, b] = accounts.snapshot.accounts
  await switchOff('b')
  expect(accounts.snapshot.accounts[0]).toBe(a)
  expect(accounts.snapshot.accounts[1]).not.toBe(b)
  await switchOff()
  expect(accounts.snapshot.accounts[0]).toBe(a)
  expect(accounts.snapshot.accounts[1]).not.toBe(b)
  accounts.configure({ accounts: [setting('a'), setting('b'), setting('c')], aliases: {} })
  expect(accounts.snapshot.accounts[0]).toBe(a)
})

test('another configuration changes nothing that is switched off', async () => {
  const { accounts, switchOff } = live(setting('a'), setting('b'))
  await switchOff('b')
  accounts.configure({ accounts: [setting('b', { weight: 2 }), setting('c')], aliases: {} })
  expect(serving(accounts.snapshot)).toEqual(['c'])
  await switchOff()
  expect(serving(accounts.snapshot)).toEqual(['b', 'c'])
})

test('a configuration with problems is refused whole, with all of them', async () => {
  const { accounts, switchOff, updates } = live(setting('a'))
  const problem = { path: 'keys', message: 'is wrong', fix: 'mend it' }
  const wrong = { accounts: [setting('x', { provider: 'nobody' })], aliases: {} }
  const refused = expect.objectContaining({
    problems: [problem, expect.objectContaining({ path: 'accounts[0].provider' })],
  })
  const taking = () => accounts.configure(wrong, [problem])
  expect(taking).toThrow(ConfigurationError)
  expect(taking).toThrow(refused)
  expect(updates).toEqual([])
  await switchOff('stranger')
  expect(serving(accounts.snapshot)).toEqual(['a'])
})
