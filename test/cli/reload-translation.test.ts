import { expect, test } from 'vitest'

import { changesBetween } from '../../src/cli/reload/changes.ts'
import { settingsNeedingRestart } from '../../src/configuration/in-use.ts'
import type { Config } from '../../src/configuration/config.generated.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'

const resolve = (config: Config) => resolveSettings(config, { env: {} })

test('other losses and other remote files need another start, and are named', () => {
  const before = resolve({})
  const after = resolve({ losses: 'reject', remote: { maxFiles: 1 } })
  expect(settingsNeedingRestart(before, after)).toEqual(['losses', 'remote'])
  expect(settingsNeedingRestart(before, resolve({ losses: 'drop', remote: {} }))).toEqual([])
})

test('the policy of a key is taken over as any change of a key is', async () => {
  const key = { id: 'team', secret: 's' }
  const before = resolve({ keys: [key] })
  const after = resolve({ keys: [{ ...key, losses: 'native' }] })
  expect(changesBetween(before, after)).toEqual({ keys_changed: ['team'] })
  expect(settingsNeedingRestart(before, after)).toEqual([])
})
