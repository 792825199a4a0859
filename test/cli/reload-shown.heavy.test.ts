import { unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { anyPorts, addressesOf, askAdmin, openPlace } from './dragoman.ts'
import { token, configuration } from './reload-shown.ts'

interface Entry {
  readonly action: string
  readonly result: string
  readonly actor: { readonly kind: string; readonly id: string }
  readonly prev: string | null
}

test('a reload has one audit record, of its own process or of the administrator', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configuration(2))
  const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
  const { operators } = await addressesOf(server)
  const graph = async <Data>(query: string) => {
    const response = await askAdmin(operators, token, query)
    return ((await response.json()) as { data: Data }).data
  }
  const reloads = async () => {
    const query = `{ audit(first: 50, filter: {action: "configuration.reload"}) {
      edges { node { action result actor { kind id } prev } } } }`
    const { audit } = await graph<{ audit: { edges: { node: Entry }[] } }>(query)
    return audit.edges.map(({ node }) => node)
  }
  await place.write('dragoman.config.json', configuration(3))
  await expect.poll(async () => (await reloads())[0]?.result, { timeout: 20_000 }).toBe('DONE')
  await graph('mutation { reloadConfiguration(input: {reason: "again"}) { __typename } }')
  const [commanded, own, ...others] = await reloads()
  expect(others).toEqual([])
  expect(own).toMatchObject({ actor: { kind: 'PROCESS', id: 'gateway' }, result: 'DONE' })
  expect(commanded).toMatchObject({ actor: { kind: 'TOKEN' }, result: 'DONE' })
  expect(commanded?.prev).toEqual(expect.any(String))
})

test('a file that is broken is named without its directory, in answers and in the audit log', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configuration(2))
  const server = place.start(anyPorts, { DRAGOMAN_ADMIN_TOKEN: token })
  const { operators } = await addressesOf(server)
  const ask = async (query: string) => {
    const response = await askAdmin(operators, token, query)
    return await response.text()
  }
  await place.write('dragoman.config.json', '{ "accounts": [ }')
  const problems = '{ configuration { problems { path message fix } } }'
  const broken = 'dragoman.config.json:1:17'
  await expect.poll(() => ask(problems), { timeout: 10_000 }).toContain(broken)
  const refused = await ask(`mutation { reloadConfiguration(input: {reason: "again"}) {
    ... on Invalid { message problems { path message fix } } } }`)
  const audit = await ask(
    '{ audit { edges { node { action target { id } before after message } } } }',
  )
  expect([refused.includes(broken), audit.includes(broken)]).toEqual([true, true])
  for (const answer of [await ask(problems), refused, audit]) {
    expect(answer).not.toContain(place.path)
  }
})

test(
  'a reload that the API refuses leaves its problems where operators look, in each process',
  { timeout: 60_000 },
  async () => {
    await using place = await openPlace()
    await place.write('credential', 'k')
    const account = {
      id: 'one',
      provider: 'openai',
      apiKey: `file:${place.path}/credential`,
      models: ['m'],
    }
    await place.write('dragoman.config.json', JSON.stringify({ accounts: [account] }))
    const server = place.start(`${anyPorts} --workers 2`, { DRAGOMAN_ADMIN_TOKEN: token })
    const { operators } = await addressesOf(server)
    const ask = async (query: string) => {
      const response = await fetch(`${operators}/graphql`, {
        method: 'POST',
        // Each connection goes to another worker.
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          connection: 'close',
        },
        body: JSON.stringify({ query }),
      })
      return (await response.json()) as { data: Record<string, unknown> }
    }
    const found = { problems: [{ path: 'accounts[0].apiKey' }] }
    const whole = `{ configuration { problems { path } } gateway { configuration { problems { path } }
    processes { configuration { problems { path } } } } }`
    await expect
      .poll(async () => JSON.stringify(await ask(whole)), { timeout: 10_000 })
      .toMatch(/(?:"configuration":\{"problems":\[\]\}.*){4}/)

    // The file of the configuration does not change, so that only the act reads it again.
    await unlink(join(place.path, 'credential'))
    const reload = 'mutation { reloadConfiguration(input: {}) { __typename } }'
    expect(await ask(reload)).toEqual({ data: { reloadConfiguration: { __typename: 'Invalid' } } })
    const processes = [{ configuration: found }, { configuration: found }]
    const all = { data: { configuration: found, gateway: { configuration: found, processes } } }
    for (const _ of [1, 2, 3, 4])
      await expect.poll(() => ask(whole), { timeout: 10_000 }).toEqual(all)
    expect(server.output.stderr.split('configuration not reloaded')).toHaveLength(3)

    await place.write('credential', 'k')
    expect(await ask(reload)).toMatchObject({
      data: { reloadConfiguration: { __typename: 'ReloadConfigurationSuccess' } },
    })
    await expect.poll(async () => JSON.stringify(await ask(whole))).not.toContain('apiKey')
  },
)
