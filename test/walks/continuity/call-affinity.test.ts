import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import type { DialectName } from '../../requests/dialects.ts'
import { startService } from '../../requests/service.ts'

/** What a call may lead to its account by, most telling first. */
async function affinityOf(dialect: DialectName, fields: object, headers = {}) {
  const seen: (readonly string[] | undefined)[] = []
  const watching = definePlugin({
    name: 'watching',
    onCandidates: ({ exchange }) => void seen.push(exchange.call.affinity),
  })
  await using service = await startService({ plugins: [watching] })
  const response = await service.ask(dialect, fields, { headers })
  expect(response.status).toBe(200)
  return seen[0]
}

const chat = (...ids: unknown[]) => ({
  role: 'assistant',
  tool_calls: ids.map((id) => ({ id, type: 'function' })),
})
const messages = (...ids: unknown[]) => ({
  role: 'assistant',
  content: [{ type: 'text', id: 'no' }, ...ids.map((id) => ({ type: 'tool_use', id }))],
})
const generate = (...ids: unknown[]) => ({
  role: 'model',
  parts: [{ text: 'no' }, ...ids.map((id) => ({ functionCall: { id } }))],
})

describe.for([
  ['chat', 'messages', chat],
  ['messages', 'messages', messages],
  ['generate', 'contents', generate],
] as const)('%s: a call leads to its account by', ([dialect, list, turn]) => {
  const asking = (...turns: unknown[]) => affinityOf(dialect, { [list]: turns })
  const user = { role: 'user', content: 'q', parts: [] }

  test('the calls of its tools, those of the last answers first', async () => {
    expect(await asking(turn('a', 'b'), user, turn('c'), user)).toEqual(
      ['c', 'a', 'b'].map((id) => `item:${id}`),
    )
  })

  test('eight of them at most, of the last turns, and none twice', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `c${index}`)
    expect(await asking(turn(...ids))).toEqual(ids.slice(0, 8).map((id) => `item:${id}`))
    const silence = Array.from({ length: 40 }, () => user)
    expect(await asking(turn('long ago'), ...silence, turn('a'), turn('a'))).toEqual(['item:a'])
  })

  test('nothing where calls have no ids, or are no calls', async () => {
    expect(await asking(user, turn(undefined, 7, ''), null, 'x', { role: 'model' })).toEqual([])
  })
})

test('what calls tell comes before what a session tells', async () => {
  const headers = { 'x-session-affinity': 's' }
  const body = { messages: [chat('a')], prompt_cache_key: 'k' }
  expect(await affinityOf('chat', body, headers)).toEqual(['item:a', 'cache:k', 'session:s'])
})
