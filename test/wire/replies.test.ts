import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { type DialectName, dialectNames } from '../translate/clients/index.ts'
import { stopWords } from '../translate/said-to.ts'
import { openHouse } from './house.ts'
import { type Meaning, providers, type WireReply } from './replies/index.ts'

describe.each(providers)('what $provider sends', ({ speaks, replies }) => {
  test.each(dailyRows(replies))('$name', async (reply) => {
    await using house = await openHouse(speaks, reply)
    for (const client of dialectNames.filter((name) => name !== speaks)) {
      const { reading } = await house.ask(client)
      expect({ client, ...reading() }).toMatchObject({ client, ...expected(reply, client) })
    }
  })

  test.each(
    dailyRows(
      replies.filter(({ means }) => means.fails === undefined),
      1,
    ),
  )('passes as it is to clients of its own dialect: $name', async (reply) => {
    await using house = await openHouse(speaks, reply)
    const { wire } = await house.ask(speaks)
    expect(wire).toBe(reply.stream ?? reply.body)
  })
})

/** Where nothing is told of something, nothing must be made up. */
function expected(reply: WireReply, client: DialectName): object {
  const means: Meaning = { ...reply.means, ...reply.for?.[client] }
  if (means.fails !== undefined) {
    return { ending: 'failed', failure: expect.stringContaining(means.fails) as unknown }
  }
  const { text = '', thoughts = '', calls = [], stop = 'stop', usage } = means
  return {
    ending: 'complete',
    text,
    thoughts,
    calls: calls.map((call) => ({ ...call, id: expect.any(String) as unknown })),
    stop: stopWords[client][stop],
    usage: usage ?? (client === 'messages' ? { output: 0 } : {}),
  }
}
