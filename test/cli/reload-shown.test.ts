import { request } from 'node:http'

import { expect, test } from 'vitest'

import { anyPorts, addressesOf, askAdmin, openPlace } from './dragoman.ts'
import { token, configuration } from './reload-shown.ts'

interface Shown {
  readonly data: {
    readonly configuration: {
      readonly file: string
      readonly needsRestart: readonly string[]
      readonly problems: readonly { readonly path: string }[]
      readonly settings: readonly {
        readonly path: string
        readonly value: unknown
        readonly origin: string
      }[]
    }
  }
}

test('operators see what became of a reload, and what waits for a restart', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configuration(2))
  const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
  const { operators } = await addressesOf(server)
  const query = `{ configuration { file needsRestart problems { path }
    settings(section: "accounts[0].weight") { path value origin } } }`
  const ask = async () => {
    const response = await askAdmin(operators, token, query)
    return ((await response.json()) as Shown).data.configuration
  }
  const path = 'accounts[0].weight'
  expect(await ask()).toEqual({
    file: 'dragoman.config.json',
    needsRestart: [],
    problems: [],
    settings: [{ path, value: 2, origin: 'FILE' }],
  })

  await place.write('dragoman.config.json', configuration('heavy'))
  await expect
    .poll(ask, { timeout: 10_000 })
    .toMatchObject({ problems: [{ path }], settings: [{ value: 2 }] })

  await place.write('dragoman.config.json', configuration(3, 'reject'))
  await expect
    .poll(ask, { timeout: 10_000 })
    .toMatchObject({ problems: [], needsRestart: ['losses'], settings: [{ value: 3 }] })
})

/** The status of a request to the admin address under a name. */
function statusFor(operators: string, host: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const headers = { host, authorization: `Bearer ${token}` }
  const asked = request(`${operators}/graphql?query={viewer{id}}`, { headers }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
  asked.on('error', reject).end()
  return promise
}

test('a host that a reload takes away is refused without a restart, and the log names it', async () => {
  await using place = await openPlace()
  const write = (allowedHosts: string[]) =>
    place.write('dragoman.config.json', JSON.stringify({ accounts: [], admin: { allowedHosts } }))
  await write(['former.example'])
  const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
  const { operators } = await addressesOf(server)
  const statuses = () =>
    Promise.all(['former.example', 'later.example'].map((host) => statusFor(operators, host)))
  const [allowed, refused] = await statuses()
  expect([allowed, refused]).toEqual([200, 421])
  await write(['later.example'])
  await expect.poll(statuses, { timeout: 10_000 }).toEqual([421, 200])
  await server.said(/"configuration reloaded","admin_changed":\["allowedHosts"\]/)
  expect(server.output.stderr).not.toContain('take effect after a restart')
})
