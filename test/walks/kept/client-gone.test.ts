import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { collect } from '../sdk/walk.ts'
import { startFleet } from './fleet.ts'
import { foreign } from './stage.ts'

const model = 'sandbox/words=20+pace=10'

describe.concurrent.for(foreign)('before accounts that speak %s', (speaks) => {
  test('a client that was cut off finds its response, where it is read to its end', async () => {
    await using fleet = await startFleet(speaks, { clientGone: 'drain' })
    const { client } = fleet
    let id = ''
    let seen = 0
    for await (const event of await client.responses.create({ model, input: 'hi', stream: true })) {
      seen = event.sequence_number
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') break
    }

    const found = () => client.responses.retrieve(id).catch(() => undefined)
    await until(async () => (await found()) !== undefined)
    const rest = await collect(
      await client.responses.retrieve(id, { stream: true, starting_after: seen }),
    )

    expect(await found()).toMatchObject({ id, status: 'completed' })
    expect(rest.at(-1)).toMatchObject({ type: 'response.completed', response: { id } })
    expect(
      await client.responses.create({ model, input: 'on', previous_response_id: id }),
    ).toMatchObject({ status: 'completed', previous_response_id: id })
  })
})
