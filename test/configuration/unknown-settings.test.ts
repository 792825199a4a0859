import { expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'

test.each([
  [{ admin: { listen: {} } }, /^use one of host, .*tokens/],
  [
    { accounts: [{ id: 'a', provider: 'openai', models: ['m'], forward: { x: 1 } }] },
    /^use one of headers, query$/,
  ],
  [{ port: 18_787 }, /^did you mean "listen\.port"\?$/],
  [{ host: '0.0.0.0' }, /^did you mean "listen\.host"\?$/],
])('an unknown setting in %j is answered with those that there are', (config, fix) => {
  const { problems } = checkConfiguration(config, { env: {} })
  expect(problems).toHaveLength(1)
  expect(problems[0]!.fix).toMatch(fix)
})

test('a setting of an earlier version is answered with what holds in its place', () => {
  const config = { unknownIds: 'forward', limits: { jsonDepth: 50 } }
  const { problems } = checkConfiguration(config, { env: {} })
  expect(problems).toEqual([
    {
      path: 'unknownIds',
      message: expect.stringMatching(
        /^this setting was removed in 0\.2\.0: .* is refused$/,
      ) as string,
      fix: 'delete it',
    },
    {
      path: 'limits.jsonDepth',
      message: 'this setting was removed in 0.2.0: JSON has at most 200 levels',
      fix: 'delete it',
    },
  ])
})
