import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'

test.each([
  [{ admin: { listen: {} } }, /^use one of host, .*tokens/],
  [
    { accounts: [{ id: 'a', provider: 'openai', models: ['m'], forward: { x: 1 } }] },
    /^use one of headers, query$/,
  ],
])('an unknown setting in %j is answered with those that there are', (config, fix) => {
  const { problems } = checkConfiguration(config, { env: {} })
  expect(problems).toHaveLength(1)
  expect(problems[0]!.fix).toMatch(fix)
})
