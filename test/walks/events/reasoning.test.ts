import { describe, expect, test } from 'vitest'

import { clients } from '../continuity/clients.ts'
import { historyIn, resultsByCall } from '../continuity/history.ts'
import { model, startStage } from '../continuity/stage.ts'
import { rewriting } from './guardrails.ts'

const plugins = [rewriting('The tool answered', 'Somebody said')]

const ways = clients.flatMap((client) => [false, true].map((stream) => ({ client, stream })))

/** How many of the two answers with calls come back signed. */
const signed = { chat: 0, messages: 2, responses: 2, generate: 2 }

describe.for(ways)('$client.name before its own account (stream: $stream)', (way) => {
  const { client, stream } = way

  test('goes on with a tool loop behind a guardrail, and the account gets what it signed', async () => {
    await using stage = await startStage(client.speaks, { plugins })
    const conversation = client.open({ gateway: stage.gateway, model, stream })

    await conversation.ask('How is Bern?')
    await conversation.answer(['result 0', 'result 1'])
    const third = await conversation.answer(['result 2', 'result 3'])

    expect(third.text).toMatch(/^Somebody said: /)
    const { json, raw } = stage.asked()[2]!
    const history = historyIn(client.speaks, json)
    expect(raw).not.toMatch(/gw1\.|Z3cxL/)
    expect(resultsByCall(history)).toEqual(['result 0', 'result 1', 'result 2', 'result 3'])
    expect(history.signatures).toHaveLength(signed[client.speaks])
    for (const line of await stage.gateway.logged(3)) expect(line).toMatchObject({ status: 200 })
  })
})
