import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { post, replies, startOwner } from '../walks/chaining/owner.ts'

describe.each(Object.keys(replies))('the conversation of %s', (path) => {
  test.each([['x1'], [{ id: 'x1' }], [null], [undefined]])('may be %o', async (conversation) => {
    await using owner = await startOwner()
    owner.script = answerJson(replies[path])
    expect(await post(owner, path, { conversation })).toMatchObject({ status: 200 })
    expect(owner.requests).toHaveLength(1)
  })

  test.each([[''], [' \t'], [7], [true], [[]], [['x1']], [{}], [{ id: '' }], [{ id: 7 }]])(
    'may not be %o',
    async (conversation) => {
      await using owner = await startOwner()
      expect(await post(owner, path, { conversation })).toMatchObject({
        status: 400,
        body: {
          error: { code: 400, param: 'conversation', details: [{ code: 'invalid_value' }] },
        },
      })
      expect(owner.requests).toEqual([])
    },
  )
})

describe('a conversation', () => {
  test('may begin with nothing at all, or with items in the words of the contract', async () => {
    await using owner = await startOwner()
    const created = (body?: string) => owner.ask('POST', '/v1/conversations', body)
    const items = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]

    expect((await created()).status).toBe(200)
    expect((await created(JSON.stringify({ items }))).status).toBe(200)

    const [first, second] = owner.requests
    expect(first?.body).toHaveLength(0)
    expect(first?.headers).not.toHaveProperty('content-type')
    expect(JSON.parse(second?.body.toString() ?? '')).toEqual({
      items: [{ role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
    })
  })

  test.each([
    ['/v1/conversations', 'items', {}],
    ['/v1/conversations', 'metadata', []],
    ['/v1/conversations/x1', 'metadata', 'topic'],
    ['/v1/conversations/x1/items', 'items', 'hi'],
    ['/v1/conversations/x1/items', 'items', null],
  ])('%s needs good `%s`, not %o', async (path, param, value) => {
    await using owner = await startOwner()
    const response = await owner.ask('POST', path, JSON.stringify({ [param]: value }))
    expect({ status: response.status, body: (await response.json()) as unknown }).toMatchObject({
      status: 400,
      body: { error: { param } },
    })
    expect(owner.requests).toEqual([])
  })
})
