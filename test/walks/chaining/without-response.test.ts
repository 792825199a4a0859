import { describe, expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { connect as connectTo } from '../replicas/replicas.ts'
import { ask, connect, notFound, refusal } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { replies, startOwner } from './owner.ts'
import { model, preferB, startStage } from './stage.ts'

// The oldest SDK neither counts nor compacts.
const grounds = allGrounds().filter(({ name }) => !name.includes('openai 4'))

describe.for(grounds)('on $name, a client that counts the tokens of a follow-up', (ground) => {
  const { sdk, open } = ground

  test('has them counted by the account that knows the response', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, { input: 'a question of some length' })
    stage.configure(preferB)
    const count = (previous_response_id: string | null) =>
      client.responses.inputTokens.count({ model, input: 'on', previous_response_id })

    const alone = await count(null)
    const continued = await count(id)

    expect(continued.input_tokens).toBeGreaterThan(alone.input_tokens)
    expect(stage.asked('b').map(({ url }) => url)).toEqual(['/v1/responses/input_tokens'])
    expect(await refusal(sdk, count('resp_of_nobody'))).toEqual(notFound('resp_of_nobody'))
  })

  test('does not make its hour any longer', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)
    const count = () =>
      client.responses.inputTokens.count({ model, input: 'on', previous_response_id: id })
    stage.now += 60 * 60_000 - 1
    await count()
    stage.now += 1

    expect(await refusal(sdk, count())).toEqual(notFound(id))
  })
})

test('a client that compacts a response gets items for its next input', async () => {
  await using owner = await startOwner()
  owner.script = answerJson(replies['/v1/responses/compact'])
  const { responses } = connectTo(owner.gateway)

  const compacted = await responses.compact({ model: 'm', previous_response_id: 'x1' })

  expect(compacted.output).toMatchObject([{ type: 'compaction', id: 'cmp_1' }])
  expect(JSON.parse(owner.requests[0]?.body.toString() ?? '')).toEqual({
    model: 'm',
    previous_response_id: 'x1',
  })
})
