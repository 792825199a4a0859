import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin } from './dragoman.ts'
import { accountAsked, logOf, openSwitchedPlace } from './switched.ts'

test.concurrent('a running gateway leaves an account that is switched off, and comes back', async () => {
  await using opened = await openSwitchedPlace()
  const { place } = opened
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  expect(await accountAsked(clients)).toBe('a')

  await place.call('accounts disable a')
  await until(async () => (await accountAsked(clients)) === 'b')
  expect(logOf(server)).toContainEqual(
    expect.objectContaining({ msg: 'accounts enabled/disabled', off: ['a'], on: [] }),
  )
  await place.call('accounts enable a')
  await until(async () => (await accountAsked(clients)) === 'a')
})

test.concurrent('an account that is off stays off for a gateway that starts later', async () => {
  await using opened = await openSwitchedPlace()
  const { place } = opened
  await place.call('accounts disable a')
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  expect(await accountAsked(clients)).toBe('b')
  expect(logOf(server)).toContainEqual(
    expect.objectContaining({ msg: 'accounts are disabled', accounts: ['a'] }),
  )
})

test.concurrent('a running gateway rejects a disabled key of its file, check and lists say why, and it comes back', async () => {
  await using opened = await openSwitchedPlace()
  const { place } = opened
  const { clients } = await addressesOf(place.start(withoutAdmin))
  expect(await accountAsked(clients)).toBe('a')

  const off = await place.call('keys disable team --reason leaked')
  expect(off).toMatchObject({ code: 0, stdout: '' })
  expect(off.stderr).toContain('The key "team" is disabled.')
  await until(async () => (await accountAsked(clients)) === 'status 401')
  const listed = await place.call('keys list')
  expect(listed.stdout).toMatch(/^team +disabled .*an operator disabled it: leaked$/m)
  expect((await place.call('check')).stdout).toMatch(/^ +team +disabled /m)

  const on = await place.call('keys enable team')
  expect(on.stderr).toContain('The key "team" is enabled.')
  await until(async () => (await accountAsked(clients)) === 'a')
})
