import { describe, expect, test } from 'vitest'

import { ask, connect, ways } from '../chaining/asking.ts'
import { preferB } from '../chaining/stage.ts'
import { keptGrounds, lastTold, startKept, wordsTold } from './stage.ts'

describe.concurrent.for(keptGrounds())('on $name, a client that continues', (ground) => {
  const { sdk, open, speaks } = ground

  describe.for(ways)('a response that it got $way', ({ stream }) => {
    test.for(ways)('is served by the account that made it, $way', async (next) => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const first = await ask(client, { input: 'one apple' }, { stream })
      stage.configure(preferB)

      const second = await ask(client, { input: 'two pears', previous_response_id: first.id }, next)
      const third = await ask(
        client,
        { input: 'three plums', previous_response_id: second.id },
        next,
      )

      expect([first, second, third].map(({ output_text }) => output_text)).toEqual(['a', 'a', 'a'])
      expect(third).toMatchObject({ status: 'completed', previous_response_id: second.id })
      expect(wordsTold(stage, 'three plums', 'two pears', 'one apple')).toEqual([
        'one apple',
        'two pears',
        'three plums',
      ])
      expect(stage.asked('b')).toEqual([])
    })

    test('finds that its instructions held for one request only', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const brief = { instructions: 'Answer briefly.' }
      const { id } = await ask(client, { ...brief, input: 'one' }, { stream })
      expect(lastTold(stage)).toContain('Answer briefly.')

      const next = await ask(client, { previous_response_id: id }, { stream })
      expect(lastTold(stage)).not.toContain('Answer briefly.')

      const politely = { instructions: 'Answer politely.', previous_response_id: next.id }
      expect(await ask(client, politely, { stream })).toMatchObject({
        instructions: 'Answer politely.',
      })
      expect(lastTold(stage)).toContain('Answer politely.')
    })

    test('may go on from one response twice', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, { input: 'the trunk' }, { stream })
      const from = { previous_response_id: id }

      await ask(client, { ...from, input: 'one branch' }, { stream })
      const other = await ask(client, { ...from, input: 'the other branch' }, { stream })

      expect(other.output_text).toBe('a')
      expect(wordsTold(stage, 'the trunk', 'one branch', 'the other branch')).toEqual([
        'the trunk',
        'the other branch',
      ])
    })

    test('is served by its account whatever else would prefer another', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const first = await ask(client, {}, { stream })
      const notes = { prompt_cache_key: 'notes' }
      stage.configure(preferB)
      expect((await ask(client, notes)).output_text).toBe('b')
      const input = 'all of it again '.repeat(50_000)

      const second = await ask(
        client,
        { ...notes, input, previous_response_id: first.id },
        { stream },
      )

      expect(second.output_text).toBe('a')
    })

    test.for([{}, { previous_response_id: null }])(
      'is served by any account without its id: %o',
      async (fields) => {
        await using stage = await startKept(speaks, open)
        const client = connect(stage, sdk)
        await ask(client, { input: 'one apple' }, { stream })
        stage.configure(preferB)

        expect((await ask(client, fields, { stream })).output_text).toBe('b')
        expect(lastTold(stage)).not.toContain('one apple')
      },
    )
  })
})
