import { unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { addressesOf, anyPorts, openPlace, statusWithKey } from './dragoman.ts'

const token = 'an-admin-token-of-this-test-0123456789'
const file = 'dragoman.config.json'

async function reload(operators: string): Promise<unknown> {
  const query = `mutation { reloadConfiguration(input: {}) { __typename
    ... on Conflict { message } ... on Invalid { problems { path message } } } }`
  const response = await fetch(`${operators}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  })
  const { data } = (await response.json()) as { data: { reloadConfiguration: object } }
  return data.reloadConfiguration
}

test.concurrent('a reload while the file is missing changes nothing', async () => {
  await using place = await openPlace()
  const keys = [{ id: 'team', secret: 'secret-of-this-test' }]
  await place.write(file, JSON.stringify({ accounts: [], keys }))
  const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
  const { clients, operators } = await addressesOf(server)
  await unlink(join(place.path, file))
  expect(await reload(operators)).toEqual({
    __typename: 'Invalid',
    problems: [{ path: file, message: 'no such file' }],
  })
  server.child.kill('SIGHUP')
  await server.said(/not reloaded[^]*not reloaded/)
  expect(await statusWithKey(clients, 'secret-of-this-test')).toBe(200)
})

test.concurrent('a reload of a gateway without a file keeps what its start has found', async () => {
  await using place = await openPlace()
  const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
  const { clients, operators } = await addressesOf(server)
  const [, secret = ''] = await server.said(/DRAGOMAN_KEY=(\S+)/)
  const models = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${clients}/v1/models/sandbox%2Fecho`, { headers })
    await response.body?.cancel()
    return response.status
  }
  expect(await models()).toBe(200)
  expect(await reload(operators)).toEqual({
    __typename: 'Conflict',
    message: expect.stringContaining('This process has no configuration file.') as string,
  })
  expect(await models()).toBe(200)
})
