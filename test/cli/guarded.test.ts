import { expect, test } from 'vitest'

import { assertGuarded } from '../../src/cli/guarded.ts'
import { defaults } from '../../src/configuration/settings.ts'
import { type GatewayPlugin, definePlugin } from '../../src/index.ts'

/** A gateway without API keys on an address that other machines can reach. */
const open = (plugins: GatewayPlugin[]) => () =>
  assertGuarded({ ...defaults, listen: { host: '0.0.0.0', port: 8787 }, plugins }, 0, {})

test('an address that others can reach needs a key, or a plugin that knows callers', () => {
  const authenticator = definePlugin({
    name: 'tokens',
    onAuthenticate: () => ({ keyId: 'ada', mayUse: () => true }),
  })
  expect(open([authenticator])).not.toThrow()
  expect(open([])).toThrow('there is no API key yet')
  expect(open([definePlugin({ name: 'metrics', onEnd() {} })])).toThrow('there is no API key yet')
})
