import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { noConversation } from './refusals.ts'

const hello = { type: 'message', role: 'user', content: 'hello' } as const

describe('a client with a conversation', () => {
  test('finds it with what it was opened with', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai

    const opened = await conversations.create({ items: [hello], metadata: { topic: 'weather' } })

    expect(opened).toEqual({
      id: expect.stringMatching(/^conv_a_/),
      object: 'conversation',
      created_at: expect.any(Number),
      metadata: { topic: 'weather' },
    })
    expect(await conversations.retrieve(opened.id)).toEqual(opened)
    expect((await conversations.items.list(opened.id)).data).toHaveLength(1)
  })

  test('may open it with nothing at all', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai

    const { id, metadata } = await conversations.create()

    expect(metadata).toEqual({})
    expect(await conversations.items.list(id)).toMatchObject({ data: [], has_more: false })
  })

  test('replaces its metadata as a whole', async () => {
    await using sandbox = await startSandbox()
    const { conversations } = clientsOf(sandbox).openai
    const { id } = await conversations.create({ metadata: { topic: 'weather', day: 'monday' } })

    const updated = await conversations.update(id, { metadata: { topic: 'news' } })

    expect(updated).toMatchObject({ id, metadata: { topic: 'news' } })
    expect(await conversations.retrieve(id)).toEqual(updated)
    expect(await conversations.update(id, { metadata: null })).toMatchObject({ metadata: {} })
  })

  test('deletes it, and it is not found any more', async () => {
    await using sandbox = await startSandbox()
    const { conversations, responses } = clientsOf(sandbox).openai
    const { id } = await conversations.create()

    const deleted = await conversations.delete(id)

    expect(deleted).toEqual({ id, object: 'conversation.deleted', deleted: true })
    await expect(conversations.retrieve(id)).rejects.toMatchObject(noConversation(id))
    await expect(conversations.delete(id)).rejects.toMatchObject(noConversation(id))
    const asked = responses.create({ model: 'm', input: 'hi', conversation: id })
    await expect(asked).rejects.toMatchObject(noConversation(id))
  })
})

test('an account does not know the conversation of another', async () => {
  await using sandbox = await startSandbox()
  const { id } = await clientsOf(sandbox).openai.conversations.create({ items: [hello] })
  const { conversations, responses } = clientsOf(sandbox, 'sandbox-key-b').openai

  for (const name of [id, 'conv_of_nobody']) {
    const where = { conversation_id: name }
    for (const call of [
      () => conversations.retrieve(name),
      () => conversations.update(name, { metadata: {} }),
      () => conversations.delete(name),
      () => conversations.items.list(name),
      () => conversations.items.create(name, { items: [hello] }),
      () => conversations.items.retrieve('msg_1', where),
      () => conversations.items.delete('msg_1', where),
      () => responses.create({ model: 'm', input: 'hi', conversation: name }),
      () => responses.inputTokens.count({ model: 'm', input: 'hi', conversation: name }),
    ]) {
      await expect(call()).rejects.toMatchObject(noConversation(name))
    }
  }
})

test.each([
  ['an item without content', { items: [{ role: 'user' }] }, 'items[0].content'],
  ['items that are no list', { items: 'hello' }, 'items'],
  ['metadata that is no text', { metadata: { count: 3 } }, 'metadata.count'],
  ['too many items at once', { items: Array.from({ length: 21 }, () => hello) }, 'items'],
  ['a field nobody knows', { title: 'weather' }, 'title'],
])('%s opens no conversation', async (_, body, param) => {
  await using sandbox = await startSandbox()
  const { conversations } = clientsOf(sandbox).openai

  const opened = conversations.create(body as object)

  await expect(opened).rejects.toMatchObject({ status: 400, param, type: 'invalid_request_error' })
})
