import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { type Called, callingReplies } from './calling-replies.ts'
import { foreignWays } from './clients.ts'
import { historyIn, resultsByCall } from './history.ts'
import type { Spoken } from './stage.ts'

const providers = { chat: 'openai', responses: 'openai', messages: 'anthropic', generate: 'gemini' }

const long = `call_${'x'.repeat(100)}`

/** The ids of the calls of an answer; the next answer has the same ones again. */
const odd: [what: string, ids: readonly string[]][] = [
  ['long ids that differ at their ends', [`${long}1`, `${long}2`, `${long}3`]],
  ['ids with odd characters', ['functions.weather:0', 'functions/weather 0', 'wëather"0']],
]

const equal = ['one id for all', ['same', 'same', 'same']] as const
const missing = ['no ids', [undefined, undefined, undefined]] as const

/** Calls share an id, or have none, only where providers are known to do so. */
const oddAt: { readonly [spoken in Spoken]: readonly (readonly [string, readonly unknown[]])[] } = {
  chat: [...odd, equal],
  messages: odd,
  responses: odd,
  generate: [...odd, equal, missing],
}

const ways = foreignWays
  .filter(({ stream }) => !stream)
  .flatMap((way) => oddAt[way.account].map(([what, ids]) => ({ ...way, what, ids })))

describe.for(dailyRows(ways))('$client.name, $what from an account of $account', (way) => {
  test('results find their calls of the same name, in this turn and in the next', async () => {
    const { client, account, ids } = way
    const calls = ids.map((id): Called => ({
      name: 'weather',
      ...(typeof id === 'string' && { id }),
    }))
    const reply = callingReplies[account]
    const answers = [reply(calls), reply(calls), reply([])]
    await using upstream = await startFakeAccount((response, request) =>
      answerJson(answers.shift())(response, request),
    )
    const versioned = providers[account] === 'openai'
    await using gateway = await createTestGateway({
      accounts: [
        {
          id: 'fake',
          provider: providers[account],
          baseUrl: versioned ? `${upstream.url}/v1` : upstream.url,
          speaks: [account],
          models: ['m'],
        },
      ],
    })
    const conversation = client.open({ gateway, model: 'm', stream: false })

    const first = await conversation.ask('How is Bern?')
    expect(new Set(first.calls.map(({ id }) => id)).size).toBe(3)
    const second = await conversation.answer(['result 0', 'result 1', 'result 2'])
    expect(second.calls).toHaveLength(3)
    expect((await conversation.answer(['result 3', 'result 4', 'result 5'])).text).toBe('done')

    const history = historyIn(account, JSON.parse(upstream.requests[2]!.body.toString()))
    for (const id of history.calls) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
    expect(resultsByCall(history)).toEqual([0, 1, 2, 3, 4, 5].map((index) => `result ${index}`))
  })
})
