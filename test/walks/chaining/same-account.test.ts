import { describe, expect, test } from 'vitest'

import { accountOf, ask, connect, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { preferB, startStage } from './stage.ts'

describe.for(allGrounds())('on $name, a client that continues', ({ sdk, open }) => {
  describe.for(ways)('a response that it got $way', ({ stream }) => {
    test.for(ways)('is served by the account that made it, $way', async (next) => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const first = await ask(client, {}, { stream })
      expect(accountOf(first)).toBe('a')
      stage.configure(preferB)

      const second = await ask(client, { previous_response_id: first.id }, next)
      const third = await ask(client, { previous_response_id: second.id }, next)

      expect([accountOf(second), accountOf(third)]).toEqual(['a', 'a'])
      expect(third).toMatchObject({ status: 'completed', previous_response_id: second.id })
      expect(stage.asked('b')).toEqual([])
    })

    test.for([{}, { previous_response_id: null }])(
      'is served by any account without its id: %o',
      async (fields) => {
        await using stage = await startStage(open)
        const client = connect(stage, sdk)
        await ask(client, {}, { stream })
        stage.configure(preferB)

        expect(accountOf(await ask(client, fields, { stream }))).toBe('b')
      },
    )

    test('is served by its account although the prompt_cache_key prefers another', async () => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const first = await ask(client, {}, { stream })
      const notes = { prompt_cache_key: 'notes' }
      stage.configure(preferB)
      expect(accountOf(await ask(client, notes))).toBe('b')
      stage.configure({})
      expect(accountOf(await ask(client, notes))).toBe('b')

      const second = await ask(client, { ...notes, previous_response_id: first.id }, { stream })

      expect(accountOf(second)).toBe('a')
    })

    test('is served by its account however long the input is', async () => {
      await using stage = await startStage(open)
      const client = connect(stage, sdk)
      const first = await ask(client, {}, { stream })
      stage.configure(preferB)

      const input = 'all of it again '.repeat(150_000)
      const second = await ask(client, { input, previous_response_id: first.id }, { stream })

      expect(accountOf(second)).toBe('a')
    })
  })
})
