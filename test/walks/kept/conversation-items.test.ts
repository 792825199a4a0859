import { describe, expect, test } from 'vitest'

import { ask, connect, refusal } from '../chaining/asking.ts'
import { foreign, saidIn, newest, startKept } from './stage.ts'

/** Items that no account could ever be told of. */
const bad = [
  { what: 'no object', items: ['hi'], param: 'items[0]' },
  {
    what: 'a call without an id',
    items: [{ type: 'function_call', name: 'f', arguments: '' }],
    param: 'items[0].call_id',
  },
  { what: 'a reference', items: [{ type: 'item_reference', id: 'msg_1' }], param: 'items[0]' },
  {
    what: 'of a kind that only its account knows',
    items: [
      { role: 'user', content: 'hi' },
      { type: 'computer_call', id: 'cu_1' },
    ],
    param: 'items[1]',
  },
]

describe.concurrent.for(foreign)('before accounts that speak %s, a client', (speaks) => {
  test.for(bad)('is told of an item that is $what', async ({ items, param }) => {
    await using stage = await startKept(speaks)
    const { conversations } = connect(stage)
    const { id } = await conversations.create()
    const given = { items: items as never[] }

    const refused = { status: 400, body: { code: 400, param } }
    expect(await refusal(newest, conversations.create(given))).toMatchObject(refused)
    expect(await refusal(newest, conversations.items.create(id, given))).toMatchObject(refused)
    expect((await conversations.items.list(id)).data).toEqual([])
  })

  test('gets items of every kind that accounts can be told of', async () => {
    await using stage = await startKept(speaks)
    const client = connect(stage)
    const { conversations } = client
    const { id } = await conversations.create()

    const added = await conversations.items.create(id, {
      items: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Is it warm?' }] },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: '3 degrees' },
      ],
    })

    expect(added).toMatchObject({ object: 'list', has_more: false })
    expect(saidIn(added.data)).toEqual([
      'developer: Be brief.',
      'user: Is it warm?',
      'function_call',
      'function_call_output',
    ])
    expect([added.first_id, added.last_id]).toEqual([added.data.at(0)?.id, added.data.at(-1)?.id])
    const page = await conversations.items.list(id, { limit: 3, order: 'asc' })
    expect(page.data).toEqual(added.data.slice(0, 3))
    expect((await page.getNextPage()).data).toEqual(added.data.slice(3))
    expect(await ask(client, { model: 'sandbox/echo', conversation: id, input: [] })).toMatchObject(
      {
        output_text: 'The tool answered: 3 degrees',
      },
    )
  })
})
