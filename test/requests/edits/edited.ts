import { expect } from 'vitest'

import { type DialectName, dialects } from '../dialects.ts'
import { startService } from '../service.ts'

/**
 * Sends a body with these members, as they are written, and resolves with what the upstream got in
 * their place: the same text but for the edits.
 */
export async function edited(dialect: DialectName, members: string): Promise<string> {
  await using service = await startService()
  const before = `{ "unknown" :1.0e5,`
  const after = `, "model":"m" ,"big":123456789012345678901234567890}`
  const response = await service.post(dialect, before + members + after)
  expect({ status: response.status, answer: await response.json() }).toEqual({
    status: 200,
    answer: dialects[dialect].reply,
  })
  const received = service.received().body.toString()
  expect(received.slice(0, before.length)).toBe(before)
  expect(received.slice(-after.length)).toBe(after)
  return received.slice(before.length, -after.length)
}
