import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { findLosses } from '../../../src/translate/losses.ts'
import { codecs, decode, type Name } from '../samples/index.ts'
import { ask } from './telling.ts'

const budget = (tokens: number, more = {}) => ({
  generationConfig: { thinkingConfig: { thinkingBudget: tokens, ...more } },
})
const field = 'generationConfig.thinkingConfig.thinkingBudget'

/** What the account's dialect cannot say of a request, before any model is chosen. */
function lacking(account: Name, client: Name, body: JsonObject): string[] {
  return findLosses(decode(client, body), codecs[account]).map((loss) => loss.field)
}

describe.each(['chat', 'responses'] as const)('a client whose model answers on %s', (account) => {
  test('that wants no thoughts loses nothing where the model can do without', () => {
    expect(lacking(account, 'generate', budget(0))).toEqual([])
    const { body, lost } = ask(account, 'gpt-5.1', 'generate', budget(0))
    expect(body).toMatchObject(
      account === 'chat' ? { reasoning_effort: 'none' } : { reasoning: { effort: 'none' } },
    )
    expect(lost).toEqual({})
  })

  test('that wants no thoughts is told of those that it gets all the same', () => {
    const { lost } = ask(account, 'gpt-5', 'generate', budget(0))
    expect(lost).toEqual({ [field]: expect.stringContaining('`minimal`') })
  })

  test('that wants no thoughts of a model that has none loses nothing', () => {
    expect(ask(account, 'gpt-4o', 'generate', budget(0)).lost).toEqual({})
  })

  test('that gives a budget is told of the effort', () => {
    expect(lacking(account, 'generate', budget(2048))).toEqual([field])
  })

  test('that gives no budget and a level as well is told that the level counts', () => {
    const body = budget(0, { thinkingLevel: 'HIGH' })
    expect(lacking(account, 'generate', body)).toEqual([field])
  })

  test.each([
    { thinking: { type: 'enabled', budget_tokens: 0 } },
    { thinking: { type: 'disabled' }, output_config: {} },
  ])('loses nothing by %j', (body) => {
    expect(lacking(account, 'messages', body)).toEqual([])
    expect(ask(account, 'gpt-5.1', 'messages', body).lost).toEqual({})
  })
})

test('a client of messages that wants no thoughts is understood so by every account', () => {
  expect(ask('messages', 'claude-sonnet-4-5', 'generate', budget(0)).body.thinking).toEqual({
    type: 'disabled',
  })
  const off = { thinking: { type: 'enabled', budget_tokens: 0 } }
  expect(ask('generate', 'gemini-2.5-flash', 'messages', off).body.generationConfig).toMatchObject({
    thinkingConfig: { thinkingBudget: 0 },
  })
})
