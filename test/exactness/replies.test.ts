import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { type DialectName, dialectNames } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'
import { anyCuts, cutAnywhere, member, objectWith } from './json-text.ts'

/** The member by which a reply of each dialect is known. */
const marks: Readonly<Record<DialectName, string>> = {
  responses: 'output',
  chat: 'choices',
  messages: 'content',
  generate: 'candidates',
}

/** Its value: a row of replies without an answer would open the circuit. */
const lists: Readonly<Record<DialectName, string>> = {
  responses: '[]',
  chat: '[{"message":{"content":"a"}}]',
  messages: '[]',
  generate: '[{"content":{"parts":[{"text":"a"}]}}]',
}

test.each(dialectNames)(
  'a %s reply comes out byte for byte, whatever else its JSON object has',
  async (dialect) => {
    let reply: { pieces: Buffer[]; status: number } = { pieces: [], status: 200 }
    await using service = await startService({}, (response) => {
      response.writeHead(reply.status, { 'content-type': 'application/json' })
      for (const piece of reply.pieces) response.write(piece)
      response.end()
    })
    const statuses = fc.constantFrom(200, 200, 201, 202)
    const mark = member(fc.constant(JSON.stringify(marks[dialect])), fc.constant(lists[dialect]))
    const object = objectWith([mark], [marks[dialect]])
    const property = fc.asyncProperty(object, anyCuts, statuses, async (text, cuts, status) => {
      const sent = Buffer.from(text)
      reply = { pieces: cutAnywhere(sent, cuts), status }
      const response = await service.ask(dialect)
      expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(text)
      expect(response.ok).toBe(true)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('content-length')).toBe(String(sent.length))
    })
    await fc.assert(property, { numRuns: dailySteps(40) })
  },
)

test('bytes that are no UTF-8 come out as they are', async () => {
  const sent = Buffer.concat([
    Buffer.from('{"choices":[],"id":"'),
    Buffer.from([0xff, 0xc3]),
    Buffer.from('"}'),
  ])
  await using service = await startService({}, (response) => void response.end(sent))
  const response = await service.ask('chat')
  expect(Buffer.from(await response.arrayBuffer()).equals(sent)).toBe(true)
})

const unusual: [string, DialectName, object][] = [
  ['C11', 'responses', { id: 'r', usage: { input_tokens: 1, output_tokens: 2 } }],
  ['C16', 'responses', { id: 'r', temperature: null, top_p: null }],
  ['C17', 'chat', { id: 'c', choices: [], service_tier: 'ultrafast' }],
  ['C20', 'responses', { status: 'incomplete', incomplete_details: { reason: 'steered' } }],
  ['C25', 'responses', { id: 'r', status: 'completed', output: [] }],
  ['#13', 'generate', { candidates: [{ citationMetadata: { citations: [{ uri: 'u' }] } }] }],
  ['#15', 'messages', { stop_reason: 'pause_turn', content: [] }],
  ['#16', 'messages', { content: [{ type: 'container_upload', file_id: 'f' }] }],
]

test.each(unusual)(
  '%s: a native %s reply is not completed or changed',
  async (_, dialect, body) => {
    const sent = JSON.stringify(body)
    await using service = await startService({}, (response) => void response.end(sent))
    expect(await (await service.ask(dialect)).text()).toBe(sent)
  },
)
