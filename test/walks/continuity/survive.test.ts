import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { foreignWays } from './clients.ts'
import { historyIn, resultsByCall } from './history.ts'
import { model, startStage } from './stage.ts'

/** How many of the two answers with calls come back signed. */
const signed = { chat: 0, messages: 2, responses: 2, generate: 2 }

describe.for(dailyRows(foreignWays, 1))('$title', ({ client, account, stream }) => {
  test('a tool loop of two rounds keeps what the account signed, and its results', async () => {
    await using stage = await startStage(account)
    const conversation = client.open({ gateway: stage.gateway, model, stream })

    const first = await conversation.ask('How is Bern?')
    expect(first.calls.map(({ name }) => name)).toEqual(['weather', 'time'])
    const second = await conversation.answer(['result 0', 'result 1'])
    expect(second.calls).toHaveLength(2)
    const third = await conversation.answer(['result 2', 'result 3'])
    expect(third.calls).toEqual([])
    expect(third.text).toMatch(/^The tool answered: /)

    const { json, raw } = stage.asked()[2]!
    const history = historyIn(account, json)
    expect(raw).not.toMatch(/gw1\.|Z3cxL/)
    expect(new Set(history.calls).size).toBe(4)
    expect(resultsByCall(history)).toEqual(['result 0', 'result 1', 'result 2', 'result 3'])
    expect(history.signatures).toHaveLength(signed[account])
    for (const line of await stage.gateway.logged(3)) expect(line).toMatchObject({ status: 200 })
  })
})
