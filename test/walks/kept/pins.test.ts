import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { startFleet } from './fleet.ts'
import { foreign, wordsTold } from './stage.ts'

const model = 'sandbox/whoami'

/** Sends everybody to one account. */
function sendingTo(account: string): GatewayPlugin {
  return definePlugin({
    name: 'tenants',
    onCandidates: () => ({
      pinnedTo: account,
      by: 'tenants',
      unavailable: (reason) => new GatewayError('no_account_available', reason),
    }),
  })
}

const toB = { plugins: [sendingTo('b')] }

describe.concurrent.for(foreign)('before accounts that speak %s, a plugin', (speaks) => {
  test('may send a call to an account of another dialect', async () => {
    await using fleet = await startFleet(speaks, toB)

    const response = await fleet.client.responses.create({ model, input: 'hi' })

    expect(response.output_text).toBe('b')
  })

  test('may send a call to the account that it goes on with anyway', async () => {
    await using fleet = await startFleet(speaks, toB)
    const { responses } = fleet.client
    const first = await responses.create({ model, input: 'one apple' })

    const second = await responses.create({ model, input: 'two', previous_response_id: first.id })

    expect(second.output_text).toBe('b')
    expect(wordsTold(fleet, 'two', 'one apple')).toEqual(['one apple', 'two'])
  })

  test('may choose the account for a conversation that none has', async () => {
    await using fleet = await startFleet(speaks, toB)
    const { conversations, responses } = fleet.client
    const { id } = await conversations.create({
      items: [{ type: 'message', role: 'user', content: 'one apple' }],
    })

    const response = await responses.create({ model, input: 'two', conversation: id })

    expect(response.output_text).toBe('b')
    expect(wordsTold(fleet, 'two', 'one apple')).toEqual(['one apple', 'two'])
  })
})
