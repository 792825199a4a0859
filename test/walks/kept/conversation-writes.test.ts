import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { own } from '../chaining/stored.ts'
import { waiting } from './fleet.ts'
import { keptGrounds, saidIn, startKept, wordsTold } from './stage.ts'

// The oldest SDK knows no conversations.
const grounds = keptGrounds().filter(({ name }) => !name.includes('openai 4'))

const message = (content: string) => ({ type: 'message', role: 'user', content }) as const

describe.concurrent.for(grounds)('on $name, a conversation', ({ sdk, open, speaks }) => {
  test.for(ways)('loses nothing of what is said at once ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create()
    const inputs = ['one', 'two', 'three', 'four', 'five']

    await Promise.all([
      ...inputs.map((input) => ask(client, { input, conversation: id }, way)),
      client.conversations.items.create(id, { items: [message('six')] }),
      client.conversations.update(id, { metadata: { topic: 'numbers' } }),
    ])

    const { data } = await client.conversations.items.list(id, { order: 'asc', limit: 100 })
    const said = saidIn(data)
    expect(said.toSorted()).toEqual(
      [...inputs, 'six']
        .map((input) => `user: ${input}`)
        .concat(Array(5).fill('assistant: a'))
        .sort(),
    )
    // Each answer follows its question.
    for (const input of inputs)
      expect(said[said.indexOf(`user: ${input}`) + 1]).toBe('assistant: a')
    expect((await client.conversations.retrieve(id)).metadata).toEqual({ topic: 'numbers' })
  })

  test('does not get back what was deleted while an answer was made', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create({ items: [message('forget me')] })
    const [item] = (await client.conversations.items.list(id)).data

    const stream = await client.responses.create({
      model: 'sandbox/words=8+pace=40',
      input: 'hi',
      conversation: id,
      stream: true,
    })
    await client.conversations.items.delete(item?.id ?? '', { conversation_id: id })
    for await (const event of stream) expect(event.type).toMatch(/^response\./)

    const { data } = await client.conversations.items.list(id)
    expect(data.map(({ type }) => type)).toEqual(['message', 'message'])
    expect(JSON.stringify(data)).not.toContain('forget me')
  })

  test.for(ways)('has an answer once the store takes it again ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create({ items: [message('zero')] })
    stage.broken.writes = true

    const answer = await ask(client, { input: 'one', conversation: id }, way)
    await ask(client, { input: 'two', conversation: id }, way)

    expect(answer.output_text).toBe('a')
    expect(wordsTold(stage, 'zero', 'one', 'two')).toEqual(['zero', 'one', 'two'])
    const items = async () =>
      saidIn((await client.conversations.items.list(id, { order: 'asc' })).data)
    const all = ['user: zero', 'user: one', 'assistant: a', 'user: two', 'assistant: a']
    expect(await items()).toEqual(all)
    expect(await refusal(sdk, client.conversations.update(id, { metadata: {} }))).toEqual(
      own(503, 'The conversation cannot be changed at the moment.', {
        code: 'lookup_unavailable',
        shouldRetry: 'true',
      }),
    )

    stage.broken.writes = false
    await until(async () => (await waiting(stage.gateway)) === 0)
    expect(await items()).toEqual(all)
  })

  test('does not get an answer twice that the store takes late', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create()
    stage.broken.writes = true
    await ask(client, { input: 'one', conversation: id, store: false })
    const [answer] = (await client.conversations.items.list(id)).data
    stage.broken.writes = false

    await client.conversations.items.delete(answer?.id ?? '', { conversation_id: id })
    await until(async () => (await waiting(stage.gateway)) === 0)

    const { data } = await client.conversations.items.list(id)
    expect(saidIn(data)).toEqual(['user: one'])
  })
})
