import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { preferB } from '../chaining/stage.ts'
import { keptGrounds, saidIn, startKept, wordsTold } from './stage.ts'

// The oldest SDK knows no conversations.
const grounds = keptGrounds().filter(({ name }) => !name.includes('openai 4'))

const message = (content: string) => ({ type: 'message', role: 'user', content }) as const

describe.concurrent.for(grounds)('on $name, a client', ({ sdk, open, speaks }) => {
  test('creates a conversation where no account has any', async () => {
    await using stage = await startKept(speaks, open)
    const { conversations } = connect(stage, sdk)

    const empty = await conversations.create()
    const full = await conversations.create({
      items: [message('I am Bo'), message('You are Al')],
      metadata: { topic: 'names' },
    })

    expect(empty).toMatchObject({ object: 'conversation', metadata: {} })
    expect(await conversations.retrieve(empty.id)).toEqual(empty)
    expect(await conversations.retrieve(full.id)).toEqual(full)
    expect(full.metadata).toEqual({ topic: 'names' })
    expect(await inOrder(conversations, empty.id)).toEqual([])
    expect(await inOrder(conversations, full.id)).toEqual(['user: I am Bo', 'user: You are Al'])
    expect(stage.sandbox.requests).toEqual([])
  })

  test('changes a conversation: its metadata and its items', async () => {
    await using stage = await startKept(speaks, open)
    const { conversations } = connect(stage, sdk)
    const { id } = await conversations.create({ items: [message('one')] })

    const changed = await conversations.update(id, { metadata: { topic: 'numbers' } })
    const added = await conversations.items.create(id, { items: [message('two'), message('3')] })
    const [two] = added.data
    const where = { conversation_id: id }

    expect(changed).toMatchObject({ id, metadata: { topic: 'numbers' } })
    expect(await conversations.retrieve(id)).toEqual(changed)
    expect(await inOrder(conversations, id)).toEqual(['user: one', 'user: two', 'user: 3'])
    expect(await conversations.items.retrieve(two?.id ?? '', where)).toEqual(two)
    expect(await conversations.items.delete(two?.id ?? '', where)).toEqual(changed)
    expect(await inOrder(conversations, id)).toEqual(['user: one', 'user: 3'])
    for (const gone of [
      () => conversations.items.retrieve(two?.id ?? '', where),
      () => conversations.items.delete(two?.id ?? '', where),
    ]) {
      expect((await refusal(sdk, gone())).status).toBe(404)
    }
  })

  test.for(ways)('goes on in a conversation ($way), with whichever account', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create({ items: [message('I am Bo')] })

    const first = await ask(client, { input: 'Who am I?', conversation: id }, way)
    stage.configure(preferB)
    const second = await ask(client, { input: 'Really?', conversation: { id } }, way)

    expect([first, second].map(({ output_text }) => output_text)).toEqual(['a', 'b'])
    expect([first, second].map(({ conversation }) => conversation)).toEqual([{ id }, { id }])
    expect(wordsTold(stage, 'Really?', 'I am Bo', 'Who am I?')).toEqual([
      'I am Bo',
      'Who am I?',
      'Really?',
    ])
    expect(await inOrder(client.conversations, id)).toEqual([
      'user: I am Bo',
      'user: Who am I?',
      'assistant: a',
      'user: Really?',
      'assistant: b',
    ])
    const { data } = await client.conversations.items.list(id)
    expect(new Set(data.map((item) => item.id)).size).toBe(5)
    expect(await client.responses.retrieve(second.id)).toMatchObject({ output_text: 'b' })
  })

  test.for(ways)('finds in it only what came to its end ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create()
    const inIt = { conversation: id, input: 'hi' }

    const cut = await ask(
      client,
      { ...inIt, model: 'sandbox/words=90', max_output_tokens: 16 },
      way,
    )
    await refusal(sdk, ask(client, { ...inIt, model: 'sandbox/status=400' }, way))
    await ask(client, { ...inIt, model: 'sandbox/words=40+cut=6' }, way).catch(() => {})

    expect(cut.status).toBe('incomplete')
    expect(await inOrder(client.conversations, id)).toEqual([])
  })
})

async function inOrder(conversations: OpenAI.Conversations, id: string): Promise<string[]> {
  const { data } = await conversations.items.list(id, { order: 'asc' })
  return saidIn(data)
}
