import { describe, expect, test } from 'vitest'

import { ask, connect, refusal } from '../chaining/asking.ts'
import { foreign, newest, startKept } from './stage.ts'

/** Second in what the client says, and fifth in all that has been said. */
const wrongItems = [
  {
    what: 'cannot be read',
    item: { type: 'function_call_output', output: 'x' },
    param: '.call_id',
  },
  { what: 'is no object', item: 'hi', param: '' },
  { what: 'no account can be told of', item: { type: 'computer_call', id: 'cu_1' }, param: '' },
]

describe.concurrent.for(foreign)('before accounts that speak %s, a client', (speaks) => {
  test.for(wrongItems)(
    'reads in its own words where there is an item that $what',
    async (wrong) => {
      const { item, param } = wrong
      await using stage = await startKept(speaks)
      const client = connect(stage)
      const { id } = await ask(client)
      const next = await ask(client, { previous_response_id: id })
      const conversation = await client.conversations.create({
        items: [{ type: 'message', role: 'user', content: 'hi' }],
      })
      const input = [{ role: 'user' as const, content: 'hi' }, item as never]

      for (const before of [
        {},
        { previous_response_id: next.id },
        { conversation: conversation.id },
      ]) {
        const { status, body } = await refusal(newest, ask(client, { input, ...before }))
        const place = `input[1]${param}`
        expect({ status, body }).toMatchObject({ status: 400, body: { param: place } })
        expect(body.message).toContain(place)
        expect(body.message).not.toMatch(/input\[[02-9]/)
      }
      expect(stage.sandbox.requests).toHaveLength(2)
    },
  )
})
