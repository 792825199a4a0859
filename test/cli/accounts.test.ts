import { expect, test } from 'vitest'

import { openPlace, type Place } from './dragoman.ts'

const account = (id: string, rest: object = {}) => ({
  id,
  provider: 'openai',
  apiKey: 'hush',
  models: ['*'],
  ...rest,
})

async function placeWith(accounts: object[], rest: object = {}): Promise<Place> {
  const place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ accounts, ...rest }))
  return place
}

test('an account is switched off and on again, and the list says so', async () => {
  await using place = await placeWith([account('a'), account('b', { enabled: false })])
  const fresh = await place.call('accounts list')
  expect(fresh.stdout).toMatch(
    /^ID +PROVIDER +STATE +SERVES +FROM +IN FLIGHT +UNTIL +WHY\na +openai +enabled +all +configuration +0\nb +openai +disabled +nothing +configuration +0 +the configuration disables it\n$/,
  )

  const disabled = await place.call('accounts disable a')
  expect(disabled).toMatchObject({ code: 0, stdout: '' })
  expect(disabled.stderr).toContain('The account "a" is disabled.')
  await place.call('accounts disable --id b')
  const off = await place.call('accounts list')
  expect(off.stdout).toMatch(/^a +openai +disabled .* an operator disabled it: no reason given$/m)
  expect(off.stdout).toMatch(/^b +openai +disabled .* the configuration disables it/m)

  expect((await place.call('accounts list --provider openai --state disabled')).stdout).toBe(
    off.stdout,
  )
  for (const words of ['--provider anthropic', '--state enabled', '--state cooling']) {
    const none = await place.call(`accounts list ${words}`)
    expect([words, none.stdout, none.stderr]).toEqual([words, '', 'No accounts match.\n'])
  }

  expect((await place.call('accounts enable a')).stderr).toContain('The account "a" is enabled.')
  const on = await place.call('accounts list')
  expect(on.stdout).toMatch(/^a +openai +enabled +all +configuration +0$/m)
  expect(off.stdout + on.stdout).not.toContain('hush')
})

test('a script reads and switches in JSON', async () => {
  await using place = await placeWith([account('a'), account('b', { enabled: false })])
  const disabled = await place.call('accounts disable a --json')
  const reason = 'an operator disabled it: no reason given'
  const a = {
    id: 'a',
    provider: 'openai',
    state: 'disabled',
    serves: 'nothing',
    reason,
    inFlight: 0,
  }
  expect(JSON.parse(disabled.stdout)).toEqual({ ...a, running: 0 })
  const listed = await place.call('accounts list --json')
  expect(JSON.parse(listed.stdout)).toEqual([
    a,
    {
      id: 'b',
      provider: 'openai',
      state: 'disabled',
      serves: 'nothing',
      reason: 'the configuration disables it',
      inFlight: 0,
    },
  ])
  const again = await place.call('accounts disable a --json')
  expect(again.stdout).toBe(disabled.stdout)
  const enabled = await place.call('accounts enable a --json')
  expect(JSON.parse(enabled.stdout)).toMatchObject({ id: 'a', state: 'enabled' })
})

test('an account that does not exist is refused, with the command that lists them', async () => {
  await using place = await placeWith([account('a'), account('b')])
  for (const word of ['disable', 'enable']) {
    const { code, stdout, stderr } = await place.call(`accounts ${word} c`)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^dragoman: There is no account "c"\. `.* accounts list` shows all\.\n$/)
  }
})

test('what the configuration disables is not enabled by a command, which says so', async () => {
  await using place = await placeWith([account('a', { enabled: false })])
  await place.call('accounts disable a')
  const { code, stdout, stderr } = await place.call('accounts enable a --json')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^dragoman: The account "a" is in the configuration file\. Fix: change accounts\[0\] in the configuration file\.\n$/,
  )
  expect((await place.call('accounts list')).stdout).toMatch(/^a +openai +disabled/m)
})

test('an account is switched from a shell that knows none of the secrets', async () => {
  await using place = await placeWith([account('a', { apiKey: 'env:ELSEWHERE', weight: -1 })])
  expect((await place.call('accounts disable a')).code).toBe(0)
  expect((await place.call('accounts list')).stdout).toMatch(
    /^a +openai +disabled +nothing +configuration/m,
  )
})

test('the accounts of a first run are switched without a configuration', async () => {
  await using place = await openPlace()
  const env = { OPENAI_API_KEY: 'hush' }
  await place.call('accounts disable openai', env)
  const { stdout } = await place.call('accounts list', env)
  expect(stdout).toMatch(/^openai +openai +disabled .*\nsandbox +sandbox +enabled/m)
  expect(stdout).not.toContain('hush')
})

test('the check of a configuration knows what is switched off', async () => {
  const keys = [{ id: 'team', secret: 'hush-0123456789abcdef' }]
  await using place = await placeWith([account('a'), account('b')], { keys })
  await place.call('accounts disable a')
  const { code, stdout, stderr } = await place.call('check')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems.\n' })
  expect(stdout).toMatch(/^ +a .* no \(disabled in the store\) /m)
  expect(stdout).toMatch(/^ +b .* yes /m)
})

test('the check says when nobody can tell what is switched off', async () => {
  await using place = await placeWith([account('a')], { store: 'redis://127.0.0.1:1' })
  const { code, stdout, stderr } = await place.call('check')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ +a .* yes /m)
  expect(stderr).toMatch(/^Only the keys of the configuration are listed: /m)
  expect(stderr).toMatch(
    /^Accounts are listed as configured; the store may disable some of them: /m,
  )
})

test('what cannot be meant, or would be lost, is refused', async () => {
  await using place = await placeWith([account('a'), account('b')])
  const results = await Promise.all([
    place.call('accounts disable'),
    place.call('accounts enable a --id b'),
    place.call('accounts'),
    place.call('accounts disable a --store memory:'),
    place.call('accounts enable a --store redis://127.0.0.1:1'),
  ])
  expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 3, 1])
  expect(results[3]?.stderr).toContain('memory: ends with this command')
  expect(results.every(({ stdout }) => stdout === '')).toBe(true)
  const listed = await place.call('accounts list --store memory:')
  expect(listed.stdout).toMatch(
    /^a +openai +enabled +all +configuration +0\nb +openai +enabled +all +configuration +0$/m,
  )
})
