import { expect, test } from 'vitest'

import { chunk, begin, calls, oneEvent, endOfCalls, clients, streamed } from './large-replies.ts'

const manyEvents = calls.map((call) => chunk({ tool_calls: [call] }))

/** A stream without what differs from one to the next of the same account. */
function withoutIds(stream: string): string {
  const ids = new Map<string, string>()
  return stream
    .replace(/"created_at":\d+|"completed_at":\d+/g, '')
    .replace(/\b(?:resp|msg|fc)_\w{24}\b|(?<="responseId":")[^"]+/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id ${ids.size}`)
      return ids.get(id)!
    })
}

test.each(clients)(
  'thousands of calls in one event reach a $name client as those of as many',
  async (client) => {
    const [together, apart] = await Promise.all([
      streamed(client, [begin, oneEvent, endOfCalls]),
      streamed(client, [begin, ...manyEvents, endOfCalls]),
    ])
    expect(together).toContain(`f${calls.length - 1}`)
    expect(withoutIds(together) === withoutIds(apart)).toBe(true)
  },
)
