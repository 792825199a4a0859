import { expect, test } from 'vitest'

import { openDesk } from './desk.ts'

test('an act that needs a reason on a running gateway alone says so', async () => {
  await using desk = await openDesk()
  for (const [words, command] of [
    ['accounts disable a', 'accounts disable'],
    ['keys disable test', 'keys disable'],
    ['keys revoke test', 'keys revoke'],
    ['keys rotate test', 'keys rotate without --grace'],
    ['keys rotate test --grace 0h', 'keys rotate without --grace'],
    ['admin-tokens revoke viewer', 'admin-tokens revoke'],
  ] as const) {
    const { code, stderr } = await desk.remote(words)
    expect([words, code]).toEqual([words, 2])
    expect(stderr).toContain(
      `\`${command}\` on a running gateway (--url or DRAGOMAN_ADMIN_URL) needs --reason TEXT`,
    )
  }
  expect((await desk.local('accounts disable a')).code).toBe(0)
})

test('an act that needs a reason everywhere says so', async () => {
  await using desk = await openDesk()
  for (const words of ['bindings forget r --key test', 'jobs forget j']) {
    for (const { code, stderr } of [await desk.remote(words), await desk.local(words)]) {
      expect(code).toBe(2)
      expect(stderr).toContain(`\`${words.split(' ', 2).join(' ')}\` needs --reason TEXT`)
    }
  }
})
