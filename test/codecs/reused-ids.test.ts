import { expect, test } from 'vitest'

import type { ToolCallPart } from '../../src/generate/content.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import { codecs, names } from './samples/index.ts'

const call = (input: string): ToolCallPart => ({
  type: 'tool_call',
  id: 'call_0',
  name: 'look',
  kind: 'function',
  arguments: input,
})

/** Some servers number the calls of each answer anew; here the first one was never answered. */
const request: GenerateRequest = {
  stream: false,
  turns: [
    { role: 'user', content: [{ type: 'text', text: 'look' }] },
    { role: 'assistant', content: [call('{"at":"first"}')] },
    { role: 'user', content: [{ type: 'text', text: 'no, there' }] },
    { role: 'assistant', content: [call('{"at":"second"}')] },
    { role: 'tool', results: [{ callId: 'call_0', content: [{ type: 'text', text: 'a ship' }] }] },
  ],
  tools: [{ kind: 'function', name: 'look', parameters: { type: 'object' } }],
  sampling: {},
  fields: {},
  extras: [],
}

test.each(names)('an account of %s is told of a result with the call before it', (account) => {
  const told = JSON.stringify(codecs[account].encodeRequest(request, 'm', () => {}).body)
  const [first, second] = [told.indexOf('first'), told.indexOf('second')]
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThan(first)
  expect(told.indexOf('a ship')).toBeGreaterThan(second)
})
