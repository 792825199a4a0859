import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { dailySteps } from '../../daily-rows.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { startFleet } from './fleet.ts'
import { foreign } from './stage.ts'

const rounds = dailySteps(40)
const model = 'sandbox/words=2'

describe.for(foreign)(
  'before accounts that speak %s, a follow-up to the other replica',
  (speaks) => {
    test('in the tick of the last event is always found', async () => {
      await using redis = await startRedis()
      await using fleet = await startFleet(speaks, { store: redis.url, replicas: 2 })
      const [here, there] = fleet.clients as [OpenAI, OpenAI]
      const round = async () => {
        const stream = await here.responses.create({ model, input: 'hi', stream: true })
        for await (const event of stream) {
          if (event.type !== 'response.completed') continue
          const { id } = event.response
          return there.responses.create({ model, input: 'on', previous_response_id: id })
        }
        throw new Error('The stream ended without its last event.')
      }
      expect(await completed(round)).toBe(rounds)
    })

    test('in the tick of the reply is always found', async () => {
      await using redis = await startRedis()
      await using fleet = await startFleet(speaks, { store: redis.url, replicas: 2 })
      const [here, there] = fleet.clients as [OpenAI, OpenAI]
      const round = async () => {
        const { id } = await here.responses.create({ model, input: 'hi' })
        return there.responses.create({ model, input: 'on', previous_response_id: id })
      }
      expect(await completed(round)).toBe(rounds)
    })
  },
)

/** Eight at a time; rejects with the first that fails. Resolves with how many were completed. */
async function completed(round: () => Promise<{ status?: string | undefined }>): Promise<number> {
  let left = rounds
  let count = 0
  const lane = async () => {
    while (left-- > 0) if ((await round()).status === 'completed') count++
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return count
}
