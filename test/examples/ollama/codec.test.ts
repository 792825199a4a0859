import { expect, test } from 'vitest'

import type { GenerateEvent, GenerateRequest } from '../../../src/dialect-kit/index.ts'
import { ollamaCodec } from './plugin.ts'

const request: GenerateRequest = {
  stream: true,
  turns: [],
  tools: [],
  sampling: {},
  fields: {},
  extras: [],
}
const last = { model: 'm', message: { role: 'assistant', content: '' }, done: true }

test('lines after the last one are ignored', () => {
  const events: GenerateEvent[] = []
  const decoder = ollamaCodec.decodeEvents(request, (event) => events.push(event))
  for (const line of [last, last, { error: 'late' }]) decoder.decode(line, '')
  expect(events.map(({ type }) => type)).toEqual(['start', 'stop', 'finish'])
})

test('a whole reply may be an error, and is none without its end', () => {
  expect(ollamaCodec.decodeResult({ error: 'out of memory' }, request)).toMatchObject({
    type: 'error',
    message: 'out of memory',
  })
  expect(() => ollamaCodec.decodeResult({ ...last, done: false }, request)).toThrow(/not complete/)
})
