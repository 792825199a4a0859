import { afterEach, expect, test, vi } from 'vitest'

import { type StoreState, incompleteNotice } from '../../../src/cli/remote/incomplete-notice.ts'

afterEach(() => void vi.restoreAllMocks())

test('a command that runs for hours asks again whether the store answers, after some seconds', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const said: string[] = []
  let store: StoreState | Error = new Error('the gateway has restarted')
  const read = vi.fn(async () => {
    if (store instanceof Error) throw store
    return store
  })
  const sayIncomplete = incompleteNotice((line) => void said.push(line), read)
  const lacking = (name: string) =>
    sayIncomplete({ incomplete: [{ field: 'accounts', reason: `${name} did not answer` }] })

  await expect(lacking('one')).rejects.toThrow('restarted')
  store = { isReachable: true }
  now += 10_000
  await Promise.all([lacking('one'), lacking('two')])
  expect(said.at(-1)).toBe('accounts: two did not answer')
  expect(read).toHaveBeenCalledTimes(2)

  store = { isReachable: false, address: 'redis://store' }
  now += 10_000
  await lacking('three')
  expect(said.slice(-2).join('\n')).toMatch(/store of the gateway, "?redis:.*does not answer/)
  expect(said.at(-1)).toBe('accounts: three did not answer')
  expect(read).toHaveBeenCalledTimes(3)
})
