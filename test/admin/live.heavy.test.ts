import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'
import { fetchWhenAllowed } from './fetch-when-allowed.ts'
import { follow } from './live-client.ts'
import { accountAt, call } from './following-calls.ts'

vi.setConfig({ testTimeout: 90_000 })

test('two workers: one subscriber sees both, and any of them shows and cancels all', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  const token = `dga_${'t'.repeat(40)}`
  const secret = 'secret-of-this-test'
  const config = {
    keys: [{ id: 'team', secret }],
    accounts: [accountAt(sandbox.url)],
    store: 'file:store',
  }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const server = place.start(`${anyPorts} --workers 2`, { DRAGOMAN_ADMIN_TOKEN: token })
  const { clients, operators } = await addressesOf(server)
  const graph = async <Data>(query: string, variables: object = {}): Promise<Data> => {
    const response = await fetchWhenAllowed(`${operators}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        connection: 'close',
      },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(15_000),
    })
    return ((await response.json()) as { data: Data }).data
  }
  const processes = async () => {
    const query = '{ gateway { processes { id worker pid configuration { hash } } } }'
    const { gateway } = await graph<{ gateway: { processes: Worker[] } }>(query)
    return gateway.processes
  }
  // Any worker may answer, and each shares a view among the queries of half a second.
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, processes))
    return answers.every((known) => known.length === 2)
  }, 20_000)
  expect((await processes()).map(({ worker }) => worker)).toEqual(expect.arrayContaining([1, 2]))

  using all = follow(operators, token, ['EXCHANGES'])
  await until(async () => {
    await call(clients, secret)
    return new Set(all.events.map(({ exchange }) => exchange?.processId)).size === 2
  }, 30_000)
  expect(all.errors).toEqual([])

  const stream = fetch(`${clients}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/words=5000+pace=50',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }),
  })
  const id = (await stream).headers.get('x-request-id')
  const exchanges = async () =>
    (await graph<{ exchanges: { id: string }[] }>('{ exchanges { id } }')).exchanges
  for (let asked = 0; asked < 4; asked++) expect((await exchanges())[0]?.id).toBe(id)
  const cancel = `mutation ($id: ID!) { cancelExchange(input: {id: $id, reason: "x"}) { __typename } }`
  expect(await graph(cancel, { id })).toEqual({
    cancelExchange: { __typename: 'CancelExchangeSuccess' },
  })
  expect(await (await stream).text()).toContain('exchange_cancelled')

  // A bad file reaches neither, and a good one both.
  const reload = `mutation { reloadConfiguration(input: {}) { __typename
    ... on ReloadConfigurationSuccess { processes { status } } } }`
  const done = { __typename: 'ReloadConfigurationSuccess' }
  expect(await graph(reload)).toEqual({
    reloadConfiguration: { ...done, processes: [{ status: 'DONE' }, { status: 'DONE' }] },
  })
  await place.write('dragoman.config.json', '{"accounts": 7}')
  expect(await graph(reload)).toEqual({ reloadConfiguration: { __typename: 'Invalid' } })
  await place.write('dragoman.config.json', JSON.stringify(config))

  // A worker that is killed is shown no more within 10 s; the one that replaces it is.
  const [first] = await processes()
  process.kill(first!.pid, 'SIGKILL')
  // A connection that Node hands to a dying worker is answered by none.
  await server.said(/Worker \d ended \(SIGKILL\)/)
  await until(async () => {
    const now = await processes().catch(() => [])
    return now.length === 2 && now.every(({ pid }) => pid !== first?.pid)
  }, 20_000)

  expect(await graph('mutation { startDrain(input: {reason: "end"}) { __typename } }')).toEqual({
    startDrain: { __typename: 'StartDrainSuccess' },
  })
  expect(await server.ended).toMatchObject({ code: 0 })
})

interface Worker {
  readonly id: string
  readonly worker: number
  readonly pid: number
}
