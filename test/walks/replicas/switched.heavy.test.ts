import { expect, test } from 'vitest'

import { setEnabled } from '../../../src/stores/operator-states.ts'
import { until } from '../../../src/testing/until.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { type Replicas, startReplicas } from './replicas.ts'
import { type Client, soon, hold, madeBy, accountsAsked, continued } from './switched.ts'

/** Twice as long as that. */
const slow = 'sandbox/words=200+pace=20'

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
