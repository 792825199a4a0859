import { expect, test, vi } from 'vitest'

import { GatewayError } from '../../src/contract/errors.ts'
import { ResponsesObserver } from '../../plugins/dialects/responses/observer.ts'
import { exchangeOf } from '../translate/kernel.ts'
import { nativeReplies } from './native-usage.ts'

const lost = new GatewayError('upstream_stream_broken', 'The upstream fell silent.')

/** A member that makes an event longer than one that is parsed twice. */
const long = `"more":"${'x'.repeat(100_000)}"`

function frame(data: string): Buffer {
  return Buffer.from(`data: ${data}\n\n`)
}

/** The longest text that is parsed meanwhile. */
function longestParsed(work: () => void): number {
  using parse = vi.spyOn(JSON, 'parse')
  work()
  return Math.max(0, ...parse.mock.calls.map(([text]) => text.length))
}

const numbered = (number: number, more = '"more":""') =>
  frame(`{"type":"response.output_text.done","sequence_number":${number},${more}}`)

const delta = (number: number, length: number, more = '') =>
  Buffer.from(
    `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":${number},"delta":"${more}${'x'.repeat(length)}${more}"}\n\n`,
  )

const between = (number: number) =>
  frame(`{"type":"response.output_text.done",${long},"sequence_number":${number},${long}}`)

const behindAnother = (number: number) =>
  frame(
    `{"type":"response.output_text.done","item":{${long},"sequence_number":99,${long}},"sequence_number":${number}}`,
  )

/** The number of the error that ends a stream of Responses behind these runs of frames. */
function numberBehind(runs: readonly Buffer[]): number {
  const observer = new ResponsesObserver(
    exchangeOf({ client: 'responses', account: 'responses', stream: true }),
  )
  for (const run of runs) observer.observe(run)
  let text = ''
  expect(longestParsed(() => (text = observer.fail(lost).bytes.toString()))).toBeLessThan(64 * 1024)
  return Number(/"sequence_number":(\d+)/.exec(text)?.[1])
}

test.each([
  ['a short event', [numbered(3)], 4],
  ['a long event', [numbered(3, long)], 4],
  ['a short event behind a long one', [Buffer.concat([numbered(3, long), numbered(4)])], 5],
  ['a long event behind a short one', [Buffer.concat([numbered(3), numbered(4, long)])], 5],
  ['a long event and a malformed one', [numbered(3, long), frame('{"oops')], 4],
  [
    'a long event and an error',
    [numbered(3, long), frame('{"type":"error","sequence_number":4,"message":"m"}')],
    4,
  ],
  ['a number between long texts', [between(3)], 4],
  ['a number behind an object with another one', [behindAnother(3)], 4],
  ['a long event of kanji', [numbered(3, `"more":"${'漢'.repeat(30_000)}"`)], 4],
  ['a long delta that passes unread', [numbered(3), delta(4, 100_000)], 5],
  ['a long delta about numbers', [numbered(3), delta(4, 100_000, '\\"sequence_number\\":99')], 5],
  ['an event without a number', [frame('{"type":"response.output_text.done"}')], 0],
])('the error of a stream of Responses is numbered behind %s', (_, runs, number) => {
  expect(numberBehind(runs)).toBe(number)
})

const chunk = (count: number, more = '"more":""', reason = '') =>
  frame(
    `{"candidates":[{"content":{"parts":[{"text":"a"}]}${reason}}],"usageMetadata":{"promptTokenCount":${count}},${more}}`,
  )

const textChunk = (count: number, more = '"more":""') =>
  frame(
    `{"candidates":[{"content":{"parts":[{"text":"${'x'.repeat(100_000)}"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":${count}},${more}}`,
  )

const stop = ',"finishReason":"STOP"'

test.each([
  ['short', [chunk(1), chunk(2)], 2],
  ['long', [chunk(1), chunk(2, long, stop)], 2],
  ['long and passes unread', [chunk(1), textChunk(2)], 2],
  ['long and has it between two texts', [chunk(1), textChunk(2, long)], 2],
  ['short behind a long one', [Buffer.concat([chunk(1, long, stop), chunk(2)])], 2],
])('a stream of Gemini has the usage of its last chunk, which is %s', (_, runs, inputTokens) => {
  const observer = nativeReplies.generate.observer()
  for (const run of runs) observer.observe(run)
  let usage: unknown
  const longest = longestParsed(() => {
    usage = observer.usage
    observer.end()
  })
  expect(usage).toEqual({ inputTokens })
  expect(longest).toBeLessThan(64 * 1024)
})
