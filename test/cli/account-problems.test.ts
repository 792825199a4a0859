import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

/** The problems that a configuration is told of, as `path: message`. */
async function problemsOf(accounts: readonly unknown[], command = 'check'): Promise<string[]> {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ store: 'memory:', accounts }))
  const { code, stderr } = await place.call(command)
  expect(code).toBe(3)
  return Array.from(
    stderr.matchAll(/^ {2}(\S+)\n {4}(.+)\n {4}fix: \S/gm),
    ([, path, message]) => `${path}: ${message}`,
  )
}

test.each(['check', 'serve --port 0 --admin-port 0'])(
  '%s tells of an unknown provider beside every other problem',
  async (command) => {
    const accounts = [
      { id: 'a', provider: 'opnai', models: [], apiKey: 'env:NOT_SET', weight: 0 },
      { id: 'b', provider: 'antropic', models: ['*'] },
      { id: 'c', provider: 'openai', models: ['*'], speaks: ['chatt'], priority: 'high' },
    ]
    const problems = await problemsOf(accounts, command)
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(':'))).toSorted()).toEqual([
      'accounts[0].apiKey',
      'accounts[0].models',
      'accounts[0].provider',
      'accounts[0].weight',
      'accounts[1].provider',
      'accounts[2].priority',
      'accounts[2].speaks',
    ])
    expect(problems).toContain('accounts[0].provider: unknown provider "opnai"')
    expect(problems).toContain('accounts[2].speaks: unknown dialect "chatt"')
  },
)

test('an unknown provider hides neither its dialects nor its address', async () => {
  const account = { id: 'a', provider: 'opnai', models: ['*'], speaks: ['chatt'] }
  const problems = await problemsOf([
    { ...account, baseUrl: 'http://user@host/v1' },
    { ...account, id: 'b', models: [] },
  ])
  expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
    'accounts[0].baseUrl',
    'accounts[1].models',
    'accounts[0].provider',
    'accounts[0].speaks',
    'accounts[1].provider',
    'accounts[1].speaks',
  ])
})

test('an account without an id is still asked for its provider', async () => {
  expect(await problemsOf([{ provider: 'opnai', models: ['*'] }])).toEqual([
    expect.stringMatching(/^accounts\[0\]\.id: /),
    'accounts[0].provider: unknown provider "opnai"',
  ])
})

test('what is wrong in itself is told once', async () => {
  const accounts = [
    { id: 'a', provider: 'openai-compatible', baseUrl: 'x', models: [] },
    { id: 'b', provider: '', models: ['*'] },
    { id: 'c', provider: 7, models: ['*'] },
    { id: 'd', models: ['*'] },
    'e',
  ]
  const problems = await problemsOf(accounts)
  expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
    'accounts[0].baseUrl',
    'accounts[0].models',
    'accounts[1].provider',
    'accounts[2].provider',
    'accounts[3].provider',
    'accounts[4]',
  ])
})

test('a provider without an address is told of it beside the rest', async () => {
  const accounts = [{ id: 'a', provider: 'openai-compatible', models: [] }]
  expect(await problemsOf(accounts)).toEqual([
    expect.stringMatching(/^accounts\[0\]\.models: /),
    'accounts[0].baseUrl: provider "openai-compatible" has no default base URL',
  ])
})
