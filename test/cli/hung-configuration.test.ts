import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import {
  anyPorts,
  addressesOf,
  askAdmin,
  openPlace,
  statusWithKey,
  withoutAdmin,
} from './dragoman.ts'

const token = 'an-admin-token-of-this-test-0123456789'
const file = 'dragoman.config.mjs'
const endless = 'await new Promise(() => {})\nexport default {}\n'

function withKey(secret: string): string {
  return `export default { accounts: [], keys: [{ id: 'team', secret: '${secret}' }] }\n`
}

test.concurrent(
  'a module that does not end to load is refused, and the mended one is loaded',
  { timeout: 60_000 },
  async () => {
    await using place = await openPlace()
    await place.write(file, withKey('first-secret'))
    const server = place.start(withoutAdmin)
    const { clients } = await addressesOf(server)
    await place.write(file, endless)
    await server.said(/not reloaded.*dragoman\.config\.mjs: was not loaded within 10 s/)
    expect(await statusWithKey(clients, 'first-secret')).toBe(200)

    await place.write(file, withKey('second-secret'))
    await server.said(/configuration reloaded/)
    expect(await statusWithKey(clients, 'second-secret')).toBe(200)
    expect(await statusWithKey(clients, 'first-secret')).toBe(401)
  },
)

test.concurrent(
  'a command says that a module does not end to load',
  { timeout: 60_000 },
  async () => {
    await using place = await openPlace()
    await place.write(file, endless)
    const { code, stderr } = await place.run('check')
    expect([code, stderr]).toEqual([3, expect.stringContaining('was not loaded within 10 s')])
  },
)

test.concurrent(
  'an operator hears in time that a module does not end to load, and later why',
  { timeout: 60_000 },
  async () => {
    await using place = await openPlace()
    await place.write(file, withKey('first-secret'))
    const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
    const { operators } = await addressesOf(server)
    const ask = async (query: string) => {
      const response = await askAdmin(operators, token, query)
      return (await response.json()) as { data?: object }
    }
    const reload = `mutation { reloadConfiguration(input: {}) { __typename
    ... on Conflict { message } } }`
    const found = '{ configuration { problems { path message } } }'
    await place.write(file, endless)
    expect((await ask(reload)).data).toEqual({
      reloadConfiguration: {
        __typename: 'Conflict',
        message: expect.stringContaining('takes longer than 5 s') as string,
      },
    })
    const message = 'was not loaded within 10 s'
    await server.said(/not loaded within 10 s/)
    expect(await ask(found)).toEqual({
      data: { configuration: { problems: [{ path: file, message }] } },
    })
  },
)

test.concurrent(
  'a pipe in the place of the file, to which nobody writes, is no configuration',
  { timeout: 60_000 },
  async () => {
    await using place = await openPlace()
    await promisify(execFile)('mkfifo', [join(place.path, 'dragoman.config.json')])
    const { code, stderr } = await place.run('check')
    expect([code, stderr]).toEqual([3, expect.stringContaining('is not a regular file')])
  },
)
