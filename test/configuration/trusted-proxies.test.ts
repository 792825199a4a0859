import { expect, test } from 'vitest'

import { trackConfiguration } from '../../src/configuration/in-use.ts'
import { checkConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'

const env = {}

test('proxies are addresses, networks and two words, and none by default', () => {
  const trustedProxies = ['10.0.0.5', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback', 'private']
  expect(resolveSettings({ trustedProxies }, { env })).toMatchObject({ trustedProxies })
  expect(resolveSettings({ admin: { trustedProxies } }, { env }).adminAccess).toMatchObject({
    trustedProxies,
  })
  expect(resolveSettings({}, { env }).trustedProxies).toEqual([])
})

test.each([
  'proxy.example.com',
  'all',
  'Private',
  'constructor',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  '10.0.0',
  'fe80::1%eth0',
  '',
  7,
])('a proxy that is none of these (%j) is a problem with its place', (entry) => {
  for (const [config, path] of [
    [{ trustedProxies: ['loopback', entry] }, 'trustedProxies[1]'],
    [{ admin: { trustedProxies: ['loopback', entry] } }, 'admin.trustedProxies[1]'],
  ] as const)
    expect(checkConfiguration(config, { env }).problems.map((one) => one.path)).toEqual([path])
})

test('a reload takes the proxies, and says that they are in use', async () => {
  const tracker = trackConfiguration(resolveSettings({ trustedProxies: ['10.0.0.5'] }, { env }))
  const next = resolveSettings({ trustedProxies: ['private'] }, { env })
  expect(tracker.reloaded(next)).toEqual([])
  expect(tracker.inUse.settings.trustedProxies).toEqual(['private'])
  expect(await tracker.inUse.describe()).toContainEqual({
    path: 'trustedProxies',
    value: ['private'],
    origin: 'FILE',
  })
})
