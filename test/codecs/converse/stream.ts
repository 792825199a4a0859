import { converseCodec } from '../../../plugins/dialects/converse/codec/index.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { eventStream } from '../../../src/kit/framing/event-stream.ts'
import {
  framedEvents,
  readStream,
  type ReadStream,
} from '../../../src/testing/contracts/read-stream.ts'
import { awsMessage } from '../../framing/framed.ts'

/** An event of an account: its name and its payload. */
export type Event = readonly [name: string, payload: object]

/** A stream that says "Grüezi". */
export const greeting: readonly Event[] = [
  ['messageStart', { role: 'assistant', p: 'abcd' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Grü' }, p: 'abcdefg' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'ezi' }, p: 'a' }],
  ['contentBlockStop', { contentBlockIndex: 0, p: 'abcdefghij' }],
]

/** How a stream ends: the usage follows the end of the message. */
export const ending: readonly Event[] = [
  ['messageStop', { stopReason: 'end_turn', p: 'ab' }],
  [
    'metadata',
    {
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      metrics: { latencyMs: 7 },
      p: 'abc',
    },
  ],
]

/** A request without settings. */
export const asked: GenerateRequest = {
  stream: true,
  turns: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
  sampling: {},
  fields: {},
  extras: [],
}

/** Messages as the official library writes them. */
export function messagesOf(events: readonly Event[]): Buffer[] {
  return events.map(([name, payload]) => awsMessage(name, payload))
}

/** What a stream means. */
export function read(events: readonly Event[], request: GenerateRequest = asked): ReadStream {
  const bytes = Buffer.concat(messagesOf(events))
  return readStream(converseCodec, framedEvents(eventStream, bytes), request)
}
