import { expect, test } from 'vitest'

import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { addressesOf, withoutAdmin, openPlace, statusWithKey } from '../cli/dragoman.ts'

const configuration = (sandbox: Sandbox, key: string) => `
keys:
  - id: team
    secret: ${key}
accounts:
  - { id: a, provider: sandbox, baseUrl: '${sandbox.url}', apiKey: sandbox-key-a, models: ['*'] }
`

test('a gateway serves a YAML file, reloads it, and keeps its settings when the file is broken', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  await place.write('dragoman.config.yaml', configuration(sandbox, 'first-secret'))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  expect(await statusWithKey(clients, 'first-secret')).toBe(200)

  await place.write('dragoman.config.yaml', configuration(sandbox, 'second-secret'))
  await server.said(/configuration reloaded/)
  expect(await statusWithKey(clients, 'second-secret')).toBe(200)
  expect(await statusWithKey(clients, 'first-secret')).toBe(401)

  await place.write('dragoman.config.yaml', 'keys: []\naccounts: []\nkeys: []\n')
  await server.said(/dragoman\.config\.yaml:3:1/)
  expect(await statusWithKey(clients, 'second-secret')).toBe(200)
})

test('check reports the problems of a .yml file, each with its fix', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.yml', 'acounts: []\nlimits: { attempts: 0 }\n')
  const { code, stdout, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stdout + stderr).toMatch(/acounts[^]*did you mean "accounts"\?/)
  expect(stdout + stderr).toMatch(/limits\.attempts[^]*a whole number above 0/)
})
