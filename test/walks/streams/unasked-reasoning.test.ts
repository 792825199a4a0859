import { describe, expect, test } from 'vitest'

import { type Answer, answerJson, answerStream } from '../../../src/testing/fake-account.ts'
import { formatFrame } from '../../../src/lib/sse.ts'
import type { DialectName } from '../../requests/dialects.ts'
import { accountsAt, startService } from '../../requests/service.ts'

type Item = Readonly<Record<string, unknown>>

const event = (type: string, fields: object) => formatFrame(type, { type, ...fields })
const thought = { type: 'reasoning_text', text: 'Hmm.' }
const summary = { type: 'summary_text', text: 'Hmm.' }
const said = { type: 'output_text', text: 'Hello', annotations: [] }
const message = (...content: object[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content,
})
const reasoning = (rest: object = {}) => ({ id: 'rs_1', type: 'reasoning', summary: [], ...rest })
const at = (output_index: number, item_id: string) => ({ output_index, item_id })

/** A stream of these events around the items' own, complete at its end. */
function streamed(events: readonly string[], output: readonly Item[]): string {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output }
  return [
    event('response.created', { response: { ...response, status: 'in_progress', output: [] } }),
    ...events,
    event('response.completed', { response: { ...response, status: 'completed' } }),
  ].join('')
}

const begin = (output_index: number, item: object) =>
  event('response.output_item.added', { output_index, item })
const end = (output_index: number, item: object) =>
  event('response.output_item.done', { output_index, item })
const hello = (index: number, content_index = 0) =>
  event('response.output_text.delta', { ...at(index, 'msg_1'), content_index, delta: 'Hello' })
const speaks = [begin(1, message()), hello(1), end(1, message(said))]

const streams: Record<string, string> = {
  'deltas of raw reasoning': streamed(
    [
      begin(0, reasoning()),
      event('response.reasoning_text.delta', { ...at(0, 'rs_1'), content_index: 0, delta: 'Hm' }),
      event('response.reasoning_text.delta', { ...at(0, 'rs_1'), content_index: 0, delta: 'm.' }),
      event('response.reasoning_text.done', { ...at(0, 'rs_1'), content_index: 0, text: 'Hmm.' }),
      event('response.content_part.done', { ...at(0, 'rs_1'), content_index: 0, part: thought }),
      end(0, reasoning({ content: [thought] })),
      ...speaks,
    ],
    [reasoning({ content: [thought] }), message(said)],
  ),
  'deltas of a summary': streamed(
    [
      begin(0, reasoning()),
      event('response.reasoning_summary_text.delta', {
        ...at(0, 'rs_1'),
        summary_index: 0,
        delta: 'Hmm.',
      }),
      event('response.reasoning_summary_text.done', {
        ...at(0, 'rs_1'),
        summary_index: 0,
        text: 'Hmm.',
      }),
      event('response.reasoning_summary_part.done', {
        ...at(0, 'rs_1'),
        summary_index: 0,
        part: summary,
      }),
      end(0, reasoning({ summary: [summary] })),
      ...speaks,
    ],
    [reasoning({ summary: [summary] }), message(said)],
  ),
  'an end without deltas': streamed(
    [
      begin(0, reasoning()),
      event('response.reasoning_text.done', { ...at(0, 'rs_1'), content_index: 0, text: 'Hmm.' }),
      end(0, reasoning()),
      ...speaks,
    ],
    [reasoning(), message(said)],
  ),
  'a summary that is one part without deltas': streamed(
    [
      begin(0, reasoning()),
      event('response.reasoning_summary_part.done', {
        ...at(0, 'rs_1'),
        summary_index: 0,
        part: summary,
      }),
      end(0, reasoning({ summary: [summary] })),
      ...speaks,
    ],
    [reasoning({ summary: [summary] }), message(said)],
  ),
  'an item with a text for a summary': streamed(
    [end(0, reasoning({ summary: 'Hmm.' })), ...speaks],
    [reasoning({ summary: 'Hmm.' }), message(said)],
  ),
  'a part of a message': streamed(
    [
      begin(0, message()),
      event('response.reasoning_text.delta', {
        ...at(0, 'msg_1'),
        content_index: 0,
        delta: 'Hmm.',
      }),
      hello(0, 1),
      end(0, message(thought, said)),
    ],
    [message(thought, said)],
  ),
  'a part of a message without deltas': streamed(
    [begin(0, message()), end(0, message(thought, said))],
    [message(thought, said)],
  ),
  'the last event alone': streamed([], [reasoning({ content: [thought] }), message(said)]),
}

const replies: Record<string, readonly Item[]> = {
  'raw reasoning': [reasoning({ content: [thought] }), message(said)],
  'a summary': [reasoning({ summary: [summary] }), message(said)],
  'texts in place of lists': [reasoning({ content: 'Hmm.', summary: '' }), message(said)],
  'a part of a message': [message(thought, said)],
}

/** What a client reads of a reply of the account, in a stream or not. */
async function readBy(client: DialectName, answer: Answer, stream: boolean): Promise<unknown> {
  await using service = await startService({}, answer)
  const [openai] = accountsAt(service.upstream.url)
  service.gateway.reload({ accounts: [{ ...openai!, speaks: ['responses'] }] })
  const response = await service.ask(client, { stream })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const joined = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found).join('')
  return client === 'chat'
    ? [joined(/"reasoning_content":"([^"]*)"/g), joined(/"content":"([^"]*)"/g)]
    : [joined(/"thinking":"([^"]*)"/g), joined(/"text":"([^"]*)"/g)]
}

describe.each(['chat', 'messages'] as const)('a %s client that did not ask', (client) => {
  test.each(Object.keys(streams))(
    'reads the reasoning of a Responses account: %s',
    async (form) => {
      const answer = answerStream([streams[form] as string])
      expect(await readBy(client, answer, true)).toEqual(['Hmm.', 'Hello'])
    },
  )

  test.each(Object.keys(replies))('reads the reasoning of a reply: %s', async (form) => {
    const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm' }
    const answer = answerJson({ ...response, status: 'completed', output: replies[form] })
    expect(await readBy(client, answer, false)).toEqual(['Hmm.', 'Hello'])
  })
})
