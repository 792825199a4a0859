import { expect, test } from 'vitest'

import { fails, historyStage } from './stage.ts'

test('each attempt of a call with a fallback is a row of its own model', async () => {
  await using stage = await historyStage([fails], {
    aliases: { fast: { model: 'gpt-a', fallbacks: [{ on: ['unavailable'], model: 'odd-spare' }] } },
  })
  expect(await stage.call('fast')).toBe(500)
  const rows = await stage.rows(2)
  expect(rows.map(({ attempt, requested, model }) => [attempt, requested, model])).toEqual([
    [1, 'fast', 'gpt-a'],
    [2, 'fast', 'odd-spare'],
  ])
})
