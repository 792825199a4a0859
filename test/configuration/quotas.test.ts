import { describe, expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { limitsOf } from '../../src/limits/limit-set.ts'

const key = { id: 'a', secret: 'x'.repeat(32) }
const account = { id: 'one', provider: 'openai', models: ['gpt-*'] }

function check(config: object) {
  return checkConfiguration(config, { env: {} })
}

const ofKey = (quota: object) => check({ keys: [{ ...key, quotas: [quota] }] }).problems

describe('a quota that cannot be is a problem', () => {
  test.each([
    [{ kind: 'requests', amount: 1.5 }, 'amount', 'only cost has decimals'],
    [{ kind: 'requests', amount: '10.0' }, undefined, ''],
    [{ kind: 'tokens', amount: 1e16 }, 'amount', 'whole number'],
    [{ kind: 'tokens', amount: -1 }, 'amount', 'a number from 0'],
    [{ kind: 'cost', amount: '0.0000000001' }, 'amount', 'a number from 0'],
    [{ kind: 'cost', amount: '0.000000001' }, undefined, ''],
    [{ kind: 'cost', amount: 9_000_001 }, 'amount', 'USD from 0'],
    [{ kind: 'concurrent', amount: 3, window: '1m' }, 'window', 'calls at once'],
    [{ kind: 'concurrent', amount: 3, strict: true }, 'strict', 'budgets only'],
    [{ kind: 'requests', amount: 3, strict: true }, 'strict', 'budgets only'],
    [{ kind: 'tokens', amount: 3, window: '1h', strict: true }, 'strict', 'budgets only'],
    [{ kind: 'requests', amount: 3, window: '1y' }, 'window', '1s, 1m'],
    [{ kind: 'requests', amount: 3, window: '0s' }, 'window', '1s, 1m'],
    [{ kind: 'requests', amount: 3, zone: 'Europe/Berlin' }, 'zone', 'days, weeks and months'],
    [{ kind: 'cost', amount: 3, window: 'day', zone: 'Europe/Atlantis' }, 'zone', 'no time zone'],
    [{ kind: 'cost', amount: 3, window: 'day', zone: 'Europe/Berlin' }, undefined, ''],
    [{ kind: 'requests', amount: 3, alerts: [0.5] }, 'alerts', 'budgets only'],
    [{ kind: 'requests', amount: 3, window: 'day', alerts: [0.5, 1] }, undefined, ''],
    [{ kind: 'requests', amount: 3, window: 'day', alerts: [1.5] }, 'alerts[0]', 'a share'],
    [{ kind: 'requests', amount: 3, per: 'ip' }, 'per', 'endUser'],
    [{ kind: 'dollars', amount: 3 }, 'kind', 'one of requests'],
    [{ kind: 'requests' }, 'amount', 'is missing'],
  ])('%j: %s', (quota, path, words) => {
    const problems = ofKey(quota)
    expect(problems.map((one) => one.path)).toEqual(
      path === undefined ? [] : [`keys[0].quotas[0].${path}`],
    )
    if (path !== undefined) expect(problems[0]?.message).toContain(words)
  })

  test('limits of accounts are of all end users', () => {
    const quotas = [{ kind: 'requests', amount: 1, per: 'endUser' }]
    const { problems } = check({ accounts: [{ ...account, quotas }] })
    expect(problems.map(({ path }) => path)).toEqual(['accounts[0].quotas[0].per'])
  })

  test('two quotas of a subject that count the same are one too many, in any spelling of the window', () => {
    const quotas = [
      { kind: 'requests', amount: 1, window: '60s' },
      { kind: 'requests', amount: 2 },
      { kind: 'requests', amount: 2, models: ['b', 'a'] },
      { kind: 'requests', amount: 3, models: ['a', 'b'] },
    ]
    expect(check({ quotas }).problems.map(({ path }) => path)).toEqual(['quotas[1]', 'quotas[3]'])
  })

  test('a key names a team that exists', () => {
    const { problems } = check({ teams: [{ id: 'red' }], keys: [{ ...key, team: 'blue' }] })
    expect(problems).toEqual([
      { path: 'keys[0].team', message: '"blue" is no team of `teams`', fix: 'use one of red' },
    ])
  })

  test('teams have ids of their own', () => {
    const { problems } = check({ teams: [{ id: 'red' }, { id: 'red' }, { id: 'b', modles: [] }] })
    expect(problems.map(({ path }) => path)).toEqual(['teams[1].id', 'teams[2].modles'])
  })
})

test('quotas compile to limits whose ids another amount leaves', () => {
  const config = (amount: number) => ({
    keys: [
      {
        ...key,
        team: 'red',
        quotas: [
          { kind: 'requests', amount },
          { kind: 'concurrent', amount },
          { kind: 'cost', amount: 12.5, models: ['gpt-*', 'o:1'], per: 'endUser' },
          { kind: 'tokens', amount, window: 'day', zone: 'Europe/Berlin', action: 'warn' },
        ],
      },
    ],
    teams: [{ id: 'red', quotas: [{ kind: 'cost', amount: '0.5', window: 'month' }] }],
    accounts: [{ ...account, quotas: [{ kind: 'outputTokens', amount, window: '2h' }] }],
    quotas: [{ kind: 'inputTokens', amount, window: '3600s' }],
  })
  const limits = limitsOf(check(config(3)).settings)
  expect(limits.map(({ id, amount, rateMs }) => [id, amount, rateMs])).toEqual([
    ['key:a:requests:1m', 3, 60_000],
    ['key:a:concurrent', 3, undefined],
    ['key:a:cost:total:gpt-*,o%3A1:endUser', 12_500_000_000, undefined],
    ['key:a:tokens:day', 3, undefined],
    ['team:red:cost:month', 500_000_000, undefined],
    ['gateway::inputTokens:1h', 3, 3_600_000],
    ['account:one:outputTokens:2h', 3, undefined],
  ])
  expect(limitsOf(check(config(4)).settings).map(({ id }) => id)).toEqual(
    limits.map(({ id }) => id),
  )
  expect(limits[3]).toMatchObject({ zone: 'Europe/Berlin', action: 'warn', alerts: [0.8, 1] })
  expect(limits[0]).toMatchObject({ alerts: [], strict: false, managedBy: 'FILE' })
})
