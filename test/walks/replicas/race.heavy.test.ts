import { expect, test } from 'vitest'

import { startRedis } from '../../../src/testing/redis.ts'
import { startReplicas } from './replicas.ts'

/** Far more than a race needs to show itself. */
const rounds = 200

const model = 'sandbox/words=2'

test('a follow-up to the other replica, in the tick of the last event, is always found', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  const [here, there] = replicas.clients
  const round = async () => {
    const stream = await here.responses.create({ model, input: 'hi', stream: true })
    for await (const event of stream) {
      if (event.type !== 'response.completed') continue
      const previous = event.response
      return there.responses.create({ model, input: 'on', previous_response_id: previous.id })
    }
    throw new Error('The stream ended without its last event.')
  }
  expect(await repeat(rounds, round)).toBe(rounds)
})

test('a follow-up to the other replica, in the tick of the reply, is always found', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  const [here, there] = replicas.clients
  const round = async () => {
    const { id } = await here.responses.create({ model, input: 'hi' })
    return there.responses.create({ model, input: 'on', previous_response_id: id })
  }
  expect(await repeat(rounds, round)).toBe(rounds)
})

/** Eight at a time; rejects with the first that fails. Resolves with how many were completed. */
async function repeat(
  times: number,
  round: () => Promise<{ status?: string | undefined }>,
): Promise<number> {
  let left = times
  let completed = 0
  const lane = async () => {
    while (left-- > 0) if ((await round()).status === 'completed') completed++
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return completed
}
