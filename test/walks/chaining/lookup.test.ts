import { describe, expect, test } from 'vitest'

import { accountOf, ask, chaining, connect, refusal, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { preferB, startStage } from './stage.ts'

const cannotTell = chaining(
  503,
  'previous_response_lookup_unavailable',
  'The previous response cannot be looked up at the moment.',
  'true',
)

describe.concurrent.for(allGrounds())('on $name, a store that cannot be read', ({ sdk, open }) => {
  describe.for(ways)('and a client that continues a response ($way)', ({ stream }) => {
    test('is told that nobody can tell, after it has tried again', async () => {
      await using stage = await startStage(open)
      const { id } = await ask(connect(stage, sdk), {}, { stream })
      stage.broken.reads = true

      const insisting = connect(stage, sdk, { maxRetries: 1 })
      const asked = ask(insisting, { previous_response_id: id }, { stream })

      expect(await refusal(sdk, asked)).toEqual(cannotTell)
      expect(await stage.gateway.logged(3)).toHaveLength(3)
      expect(stage.sandbox.requests).toHaveLength(1)
    })

    test('is told the same of an id that nobody has heard of', async () => {
      await using stage = await startStage(open)
      stage.broken.reads = true

      const asked = ask(connect(stage, sdk), { previous_response_id: 'resp_1' }, { stream })

      expect(await refusal(sdk, asked)).toEqual(cannotTell)
      expect(stage.sandbox.requests).toEqual([])
    })

    test('is served by its account as soon as the store is back', async () => {
      await using stage = await startStage(open)
      const { id } = await ask(connect(stage, sdk), {}, { stream })
      stage.configure(preferB)
      stage.broken.reads = true

      const insisting = connect(stage, sdk, { maxRetries: 5 })
      const asked = ask(insisting, { previous_response_id: id }, { stream })
      await stage.gateway.logged(2)
      stage.broken.reads = false

      expect(accountOf(await asked)).toBe('a')
    })

    test('is served as ever when it starts anew', async () => {
      await using stage = await startStage(open)
      stage.broken.reads = true

      expect(accountOf(await ask(connect(stage, sdk), {}, { stream }))).toBe('a')
    })
  })
})
