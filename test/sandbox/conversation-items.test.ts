import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { noItem } from './refusals.ts'

const say = (content: string) => ({ type: 'message', role: 'user', content }) as const

/** What the messages of a page say. */
function textsOf({ data }: { data: OpenAI.Conversations.ConversationItem[] }): unknown[] {
  return data.map(
    (item) => item.type === 'message' && 'text' in item.content[0]! && item.content[0].text,
  )
}

describe('a client adds items to its conversation', () => {
  test('and gets them back as the provider writes them', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const { id } = await conversations.create()

    const added = await conversations.items.create(id, {
      items: [say('hello'), { role: 'assistant', content: 'hi there' }],
    })

    expect(added).toMatchObject({ object: 'list', has_more: false })
    expect(added.data).toEqual([
      {
        type: 'message',
        id: added.first_id,
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: 'hello' }],
      },
      {
        type: 'message',
        id: added.last_id,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'hi there', annotations: [], logprobs: [] }],
      },
    ])
  })

  test('and looks one up, and deletes it', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const conversation = await conversations.create({ items: [say('one'), say('two')] })
    const where = { conversation_id: conversation.id }
    const [two] = (await conversations.items.list(conversation.id)).data
    const id = two?.id ?? ''

    expect(await conversations.items.retrieve(id, where)).toEqual(two)
    expect(await conversations.items.delete(id, where)).toEqual(conversation)

    expect(textsOf(await conversations.items.list(conversation.id))).toEqual(['one'])
    await expect(conversations.items.retrieve(id, where)).rejects.toMatchObject(noItem(id))
    await expect(conversations.items.delete(id, where)).rejects.toMatchObject(noItem(id))
  })

  test('but none of them twice', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const item = { ...say('hello'), id: 'msg_1' }
    const { id } = await conversations.create({ items: [item] })

    const again = conversations.items.create(id, { items: [item] })

    await expect(again).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Duplicate item found with id msg_1.'),
    })
    expect((await conversations.items.list(id)).data).toHaveLength(1)
  })
})

describe('a client lists the items of its conversation', () => {
  const items = ['one', 'two', 'three', 'four', 'five'].map(say)

  test('the latest first, unless it wants them in order', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const { id } = await conversations.create({ items })

    const latest = await conversations.items.list(id, { limit: 2 })
    const first = await conversations.items.list(id, { limit: 2, order: 'asc' })

    expect(textsOf(latest)).toEqual(['five', 'four'])
    expect(textsOf(first)).toEqual(['one', 'two'])
    expect([latest.has_more, first.has_more]).toEqual([true, true])
  })

  test('page by page', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const { id } = await conversations.create({ items })

    const pages: unknown[][] = []
    const first = await conversations.items.list(id, { limit: 2, order: 'asc' })
    for await (const page of first.iterPages()) pages.push(textsOf(page))

    expect(pages).toEqual([['one', 'two'], ['three', 'four'], ['five']])
  })

  test.each([
    ['limit', { limit: 0 }, 400],
    ['limit', { limit: 101 }, 400],
    ['order', { order: 'up' as 'asc' }, 400],
    [null, { after: 'msg_of_nobody' }, 404],
  ])('and is told when there is no such page: %s', async (param, query, status) => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const { id } = await conversations.create({ items })

    await expect(conversations.items.list(id, query)).rejects.toMatchObject({ status, param })
  })
})
