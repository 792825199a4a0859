import { APIError } from 'openai-7'
import { expect, test } from 'vitest'

import { setEnabled } from '../../../src/stores/operator-states.ts'
import { openStore } from '../../../src/stores/open.ts'
import type { Store } from '../../../src/stores/store.ts'
import { until } from '../../../src/testing/until.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { type Replicas, startReplicas } from './replicas.ts'

type Client = Replicas['clients'][number]

const model = 'sandbox/words=2'

/** How soon a change is to be known everywhere, in milliseconds. */
const soon = 2_000

/** Twice as long as that. */
const slow = 'sandbox/words=200+pace=20'

test('an account that is switched off is left by both replicas, and comes back to both', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  await using store = await hold(redis.url)
  const id = await madeBy('a', replicas.clients[0])
  const outcomes = () => Promise.all(replicas.clients.map((client) => continued(client, id)))
  expect(await outcomes()).toEqual(['completed', 'completed'])

  await setEnabled(store, 'account', 'a', false)
  await until(async () => (await outcomes()).every((outcome) => outcome !== 'completed'), soon)
  const refused = '503 previous_response_account_unavailable, retry: false'
  expect(await outcomes()).toEqual([refused, refused])
  for (const client of replicas.clients) expect(await accountsAsked(client)).toEqual(['b'])

  await setEnabled(store, 'account', 'a', true)
  await until(async () => (await outcomes()).every((outcome) => outcome === 'completed'), soon)
})

test('a stream in flight goes on to its end on the account that is switched off', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  await using store = await hold(redis.url)
  const [here, there] = replicas.clients
  const id = await madeBy('a', there)
  const { ended, types } = await slowStreamOf('a', here)

  await setEnabled(store, 'account', 'a', false)
  const known = async (client: Client) => (await continued(client, id)) !== 'completed'
  await until(async () => (await known(here)) && (await known(there)), soon)
  expect(types).not.toContain('response.completed')

  await ended
  expect(types.at(-1)).toBe('response.completed')
  expect(types.filter((type) => type === 'response.output_text.delta')).toHaveLength(200)
})

test('replicas that lose their Redis leave off what was off', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  await using store = await hold(redis.url)
  await setEnabled(store, 'account', 'a', false)
  for (const client of replicas.clients) {
    await until(async () => (await accountsAsked(client)).join() === 'b')
  }
  await redis.kill()
  const told = (lines: Replicas['gateways'][0]['log']) =>
    lines.some(
      ({ msg }) =>
        msg === 'the store failed; accounts stay enabled or disabled as they were last known',
    )
  await until(() => replicas.gateways.every(({ log }) => told(log)))
  for (const client of replicas.clients) expect(await accountsAsked(client)).toEqual(['b'])
})

/** What somebody beside the replicas holds of their Redis. */
async function hold(url: string): Promise<Store & AsyncDisposable> {
  const store = await openStore(url, { cwd: '.' })
  return { ...store, [Symbol.asyncDispose]: () => store.close() }
}

/** A response that this account made; both accounts are as likely. */
async function madeBy(account: string, client: Client): Promise<string> {
  for (;;) {
    const made = await client.responses.create({ model, input: 'hi' }).withResponse()
    if (made.response.headers.get('x-dragoman-account') === account) return made.data.id
  }
}

/** A long stream from this account, being read, and the types of its events so far. */
async function slowStreamOf(account: string, client: Client) {
  for (;;) {
    const { data, response } = await client.responses
      .create({ model: slow, input: 'hi', stream: true })
      .withResponse()
    if (response.headers.get('x-dragoman-account') === account) {
      const types: string[] = []
      const read = async () => {
        for await (const { type } of data) types.push(type)
      }
      return { types, ended: read() }
    }
    data.controller.abort()
  }
}

/** The accounts that a dozen fresh calls go to. */
async function accountsAsked(client: Client): Promise<(string | null)[]> {
  const calls = Array.from({ length: 12 }, () =>
    client.responses.create({ model, input: 'hi' }).asResponse(),
  )
  const accounts = (await Promise.all(calls)).map(({ headers }) =>
    headers.get('x-dragoman-account'),
  )
  return [...new Set(accounts)]
}

/** How it goes to continue a response. */
async function continued(client: Client, id: string): Promise<string | undefined> {
  try {
    const next = { model, input: 'on', previous_response_id: id }
    return (await client.responses.create(next)).status
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    return `${error.status} ${error.code}, retry: ${error.headers?.get('x-should-retry')}`
  }
}
