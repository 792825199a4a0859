import { APIError } from 'openai-7'
import { expect, test } from 'vitest'

import { type TestRedis, startRedis } from '../../../src/testing/redis.ts'
import { until } from '../../../src/testing/until.ts'
import { startReplicas } from './replicas.ts'

const model = 'sandbox/words=2'

/** What makes a store useless, and what makes it useful again. */
const faults: [
  name: string,
  fail: (redis: TestRedis) => unknown,
  mend: (redis: TestRedis) => unknown,
][] = [
  ['killed', (redis) => redis.kill(), (redis) => redis.restart()],
  ['stopped', (redis) => redis.pause(), (redis) => redis.resume()],
]

test.each(faults)('a Redis that is %s: no chain is lost or changed', async (_name, fail, mend) => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  const [client, other] = replicas.clients
  const { id } = await client.responses.create({ model, input: 'hi' })
  const slow = await client.responses.create({
    model: 'sandbox/words=60+pace=20',
    input: 'hi',
    stream: true,
  })
  const streamed = collect(slow)
  await fail(redis)

  const refused = await other.responses
    .create({ model, input: 'on', previous_response_id: id })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(APIError)
  expect(refused).toMatchObject({ status: 503, code: 'previous_response_lookup_unavailable' })
  expect((refused as InstanceType<typeof APIError>).headers?.get('x-should-retry')).toBe('true')

  // A reply is not held back because nobody could write down whose it is.
  const unwritten = await client.responses.create({ model, input: 'hi' })
  expect(unwritten.status).toBe('completed')
  // The replica that could not write it knows it all the same.
  const next = { model, input: 'on', previous_response_id: unwritten.id }
  expect((await client.responses.create(next)).status).toBe('completed')
  expect(await streamed).toBe('response.completed')

  await mend(redis)
  await until(async () => {
    const answer = await other.responses.create(next).catch((error: unknown) => error as APIError)
    if (answer instanceof APIError && answer.status !== 503) expect(answer.status).toBe(400)
    return !(answer instanceof APIError)
  })
})

test('a full Redis: replies go on, and what could not be written is written later', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  const [client, other] = replicas.clients
  await redis.command('CONFIG', 'SET', 'maxmemory', '1')
  const { id, status } = await client.responses.create({ model, input: 'hi' })
  expect(status).toBe('completed')
  const next = { model, input: 'on', previous_response_id: id }
  await expect(other.responses.create(next)).rejects.toMatchObject({
    code: 'previous_response_not_found',
  })
  expect(await readiness(replicas.gateways[0].url)).toMatchObject({
    status: 'ok',
    bindings: { waiting: 1, lost: 0 },
  })
  await redis.command('CONFIG', 'SET', 'maxmemory', '0')
  await until(async () => (await other.responses.create(next).catch(() => undefined)) !== undefined)
  expect(replicas.gateways[0].log.map(({ msg }) => msg)).toContain(
    'binding not written; the write is retried',
  )
})

async function readiness(url: string): Promise<unknown> {
  return await (await fetch(`${url}/readyz?verbose`)).json()
}

/** The type of the last event. */
async function collect(stream: AsyncIterable<{ type: string }>): Promise<string | undefined> {
  let last: string | undefined
  for await (const { type } of stream) last = type
  return last
}
