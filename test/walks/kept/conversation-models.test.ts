import { describe, expect, test } from 'vitest'

import { ask, refusal, ways } from '../chaining/asking.ts'
import { saidIn } from './stage.ts'
import { connectAs, natives, sdk, startHouse } from './house.ts'

const foreign = { model: 'claude-words=4' }

describe.concurrent('a client whose key allows no model of an account with conversations', () => {
  test.for([
    { key: 'name', models: natives.patterns },
    { key: 'pattern', models: natives.names },
  ] as const)('has one all the same, known to no account ($key)', async ({ key, models }) => {
    await using house = await startHouse({ models })
    const client = connectAs(house, key)

    const { id } = await client.conversations.create()
    const response = await ask(client, { ...foreign, input: 'one apple', conversation: id })
    await ask(client, { ...foreign, input: 'two', conversation: id })

    expect(response).toMatchObject({ status: 'completed', conversation: { id } })
    const { data } = await client.conversations.items.list(id, { order: 'asc' })
    expect(saidIn(data).filter((said) => said.startsWith('user'))).toEqual([
      'user: one apple',
      'user: two',
    ])
    expect(house.asked('gpt')).toEqual([])
    expect(house.asked('other')).toEqual([])
  })
})

describe.concurrent('a client whose key allows the models of one account with conversations', () => {
  test('has its conversation there', async () => {
    await using house = await startHouse({ models: natives.patterns })
    const client = connectAs(house, 'other')

    const { id } = await client.conversations.create()
    const response = await ask(client, { model: 'other-whoami', conversation: id })

    expect(response.conversation).toEqual({ id })
    expect(house.asked('other')).toHaveLength(2)
    expect(house.asked('gpt')).toEqual([])
  })

  test('may know them by an alias', async () => {
    await using house = await startHouse({ models: natives.patterns })
    const client = connectAs(house, 'alias')

    const { id } = await client.conversations.create()
    await ask(client, { model: 'mine', conversation: id })

    expect(house.asked('other')).toHaveLength(2)
  })
})

describe.concurrent('a client that goes on with a model of another account', () => {
  test.for(ways)('is told which account and which model ($way)', async (way) => {
    await using house = await startHouse({ models: natives.patterns })
    const client = connectAs(house, 'all')
    const { id } = await client.conversations.create()

    const asked = ask(client, { ...foreign, conversation: id }, way)

    expect(await refusal(sdk, asked)).toMatchObject({
      name: 'BadRequestError',
      status: 400,
      shouldRetry: 'false',
      body: mismatch(id, 'gpt', 'claude-words=4'),
    })
    expect(house.asked('claude')).toEqual([])
    expect(house.asked('gpt')).toHaveLength(1)
  })

  test('is told so too while that account is switched off', async () => {
    await using house = await startHouse({ models: natives.patterns })
    const client = connectAs(house, 'all')
    const { id } = await client.conversations.create()
    house.change({ gpt: { enabled: false } })

    const asked = ask(client, { ...foreign, conversation: id })

    expect(await refusal(sdk, asked)).toMatchObject({
      status: 400,
      body: mismatch(id, 'gpt', 'claude-words=4'),
    })
  })

  test('is told that the account is out where it has the model', async () => {
    await using house = await startHouse({ models: natives.patterns })
    const client = connectAs(house, 'all')
    const { id } = await client.conversations.create()
    house.change({ gpt: { enabled: false } })

    const asked = ask(client, { model: 'gpt-whoami', conversation: id })

    expect(await refusal(sdk, asked)).toMatchObject({
      status: 503,
      body: { details: [{ code: 'owner_unavailable' }] },
    })
  })
})

/** In the envelope of chaining (docs/wire/contract.md 5). */
function mismatch(id: string, account: string, model: string) {
  return {
    type: 'invalid_request_error',
    code: 'conversation_model_mismatch',
    param: 'conversation',
    message:
      `The conversation '${id}' belongs to the account \`${account}\`, which does not serve the ` +
      `model \`${model}\`: use a model of that account, or send the messages of the conversation in \`input\`.`,
  }
}
