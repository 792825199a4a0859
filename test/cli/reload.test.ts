import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace, type Running, statusWithKey } from './dragoman.ts'
import { secret, configuration, accountOf, refused } from './reloading.ts'

function loggedBy({ output }: Running, msg: string): Record<string, unknown> | undefined {
  const lines = output.stderr.split('\n').filter((line) => line.startsWith('{'))
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .find((one) => one['msg'] === msg)
}

const taken = 'configuration reloaded'

test.concurrent('a file that is written anew: other accounts, keys and aliases serve', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  await place.write('dragoman.config.json', configuration(sandbox, { a: ['sandbox/one'] }))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  expect(await accountOf(clients, 'sandbox/one')).toBe('a')
  expect(await accountOf(clients, 'sandbox/two')).toBe('status 404')

  const keys = [
    { id: 'team', secret },
    { id: 'late', secret: 'late-secret' },
  ]
  const aliases = { quick: 'sandbox/two' }
  const changed = configuration(
    sandbox,
    { b: ['sandbox/two'] },
    { keys, aliases, limits: { attempts: 2 } },
  )
  await place.write('dragoman.config.json', changed)
  await until(async () => (await accountOf(clients, 'sandbox/two')) === 'b')
  expect(await accountOf(clients, 'quick')).toBe('b')
  expect(await accountOf(clients, 'sandbox/one')).toBe('status 404')
  expect(await statusWithKey(clients, 'late-secret')).toBe(200)
  expect(loggedBy(server, taken)).toMatchObject({
    accounts_added: ['b'],
    accounts_removed: ['a'],
    keys_added: ['late'],
    aliases_added: ['quick'],
  })
  await until(() => loggedBy(server, 'these settings take effect after a restart') !== undefined)
  expect(loggedBy(server, 'these settings take effect after a restart')).toMatchObject({
    settings: ['limits'],
  })
})

test.concurrent('a file with problems changes nothing, and all of them are in the log', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  await place.write('dragoman.config.json', configuration(sandbox, { a: ['sandbox/one'] }))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  await place.write(
    'dragoman.config.json',
    JSON.stringify({
      accounts: [{ id: 'b', provider: 'nobody', models: ['x'], apiKey: 'env:NOT_THERE' }],
      keys: [{ id: 'team', secret: 'a word with hush' }],
    }),
  )
  await until(() => loggedBy(server, refused) !== undefined)
  const told = JSON.stringify(loggedBy(server, refused))
  for (const word of ['NOT_THERE', 'keys[0].secret', 'nobody']) expect(told).toContain(word)
  expect(told).not.toContain('hush')
  expect(await accountOf(clients, 'sandbox/one')).toBe('a')

  await place.write('dragoman.config.json', '{"accounts": [')
  await until(() => server.output.stderr.split(refused).length === 3)
  expect(await accountOf(clients, 'sandbox/one')).toBe('a')

  await place.write('dragoman.config.json', configuration(sandbox, { b: ['sandbox/one'] }))
  await until(async () => (await accountOf(clients, 'sandbox/one')) === 'b')
})
