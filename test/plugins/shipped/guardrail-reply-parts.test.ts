import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import guardrail from '../../../plugins/guardrail/index.ts'
import {
  type Answer,
  answerJson,
  answerStream,
  startFakeAccount,
} from '../../../src/testing/index.ts'
import { readEvents } from '../../exactness/sse-events.ts'
import { type DialectName, dialectNames, dialects } from '../../requests/dialects.ts'
import { startService, useOnly } from '../../requests/service.ts'

const word = { name: 'names', pattern: 'nightfall', action: 'refuse' } as const
const mask = { ...word, action: 'mask' } as const

const frame = (event: { type?: string }) =>
  `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`

const usage = { input_tokens: 1, output_tokens: 1 }
const item = (content: readonly object[], status = 'completed') => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status,
  content,
})
const part = (text: string) => ({ type: 'output_text', text, annotations: [] })
const inPart = (content_index: number) => ({ item_id: 'msg_1', output_index: 0, content_index })

/** Replies of accounts with parts of text beside each other, whole and as streams of events. */
const replies = {
  messages: {
    whole: (parts: readonly string[]) => ({
      ...dialects.messages.reply,
      content: parts.map((text) => ({ type: 'text', text })),
    }),
    stream: (parts: readonly string[]) => [
      {
        type: 'message_start',
        message: { ...dialects.messages.reply, content: [], stop_reason: null, usage },
      },
      ...parts.flatMap((text, index) => [
        { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
        ...text.split('').map((sign) => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'text_delta', text: sign },
        })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ],
  },
  responses: {
    whole: (parts: readonly string[]) => ({
      ...dialects.responses.reply,
      output: [item(parts.map(part))],
      usage: { ...usage, total_tokens: 2 },
    }),
    stream: (parts: readonly string[]) => [
      {
        type: 'response.created',
        response: { ...dialects.responses.reply, status: 'in_progress' },
      },
      { type: 'response.output_item.added', output_index: 0, item: item([], 'in_progress') },
      ...parts.flatMap((text, index) => [
        { type: 'response.content_part.added', ...inPart(index), part: part('') },
        ...text
          .split('')
          .map((delta) => ({ type: 'response.output_text.delta', ...inPart(index), delta })),
        { type: 'response.output_text.done', ...inPart(index), text },
        { type: 'response.content_part.done', ...inPart(index), part: part(text) },
      ]),
      { type: 'response.output_item.done', output_index: 0, item: item(parts.map(part)) },
      {
        type: 'response.completed',
        response: {
          ...dialects.responses.reply,
          output: [item(parts.map(part))],
          usage: { ...usage, total_tokens: 2 },
        },
      },
    ],
  },
  generate: {
    whole: (parts: readonly string[]) => ({
      candidates: [
        {
          content: { parts: parts.map((text) => ({ text })), role: 'model' },
          finishReason: 'STOP',
          index: 0,
        },
      ],
    }),
    stream: (parts: readonly string[]) =>
      parts.map((text, at) => ({
        candidates: [
          {
            content: { parts: [{ text }], role: 'model' },
            index: 0,
            ...(at === parts.length - 1 && { finishReason: 'STOP' }),
          },
        ],
      })),
  },
} as const

type AccountName = keyof typeof replies

const answering =
  (account: AccountName, parts: readonly string[]): Answer =>
  (response, request) => {
    const { whole, stream } = replies[account]
    const streams =
      request.url.includes('streamGenerateContent') || request.body.includes('"stream":true')
    return streams
      ? answerStream(stream(parts).map(frame))(response, request)
      : answerJson(whole(parts))(response, request)
  }

/** The texts that a client of any dialect reads in a JSON reply or an event of a stream. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    ['text', 'delta', 'content'].includes(name) && typeof one === 'string' ? [one] : textsIn(one),
  )
}

async function received(
  account: AccountName,
  client: DialectName,
  streams: boolean,
  rule: typeof word | typeof mask,
  parts: readonly string[],
) {
  const plugins = [guardrail({ rules: [rule] })]
  await using service = await startService({ plugins }, answering(account, parts))
  useOnly(account === 'responses' ? 'responses' : account, service)
  if (account === 'responses') {
    const baseUrl = `${service.upstream.url}/v1`
    const own = { id: 'a', provider: 'openai', apiKey: 'k', models: ['m'], baseUrl }
    service.gateway.reload({ accounts: [{ ...own, speaks: ['responses'] }] })
  }
  const path =
    client === 'generate' && streams
      ? { path: '/v1beta/models/m:streamGenerateContent?alt=sse' }
      : {}
  const fields = streams && client !== 'generate' ? { stream: true } : {}
  const response = await service.ask(client, fields, path)
  const body = await response.text().catch(() => '')
  const values: unknown[] = streams
    ? readEvents(body).map(({ data }) => (data.startsWith('{') ? JSON.parse(data) : data))
    : [JSON.parse(body)]
  return { status: response.status, body, values }
}

const rows = (Object.keys(replies) as AccountName[]).flatMap((account) =>
  dialectNames.flatMap((client) => [false, true].map((streams) => ({ account, client, streams }))),
)

describe.each(dailyRows(rows))(
  'a reply of $account for a $client client (stream: $streams)',
  ({ account, client, streams }) => {
    test('is refused for a word over two parts', async () => {
      const { body, status } = await received(account, client, streams, word, ['a night', 'fall b'])
      expect(body).not.toMatch(/night|fall/)
      expect(body).toContain('breaks the rule')
      expect(streams || status === 422).toBe(true)
    })

    test('is masked where a word stands over two parts, and keeps the rest', async () => {
      const parts = ['One. a night', 'fall b', ' c', '. Two.']
      const { values, status } = await received(account, client, streams, mask, parts)
      expect(status).toBe(200)
      const text = values.flatMap(textsIn).join('')
      expect(text).not.toMatch(/night|fall/)
      expect(text).toContain('One. a [removed]')
      expect(text).toMatch(/\[removed\] b/)
      expect(text).toContain('c. Two.')
    })
  },
)

test('parts with a tool call between them are two texts', async () => {
  const blocks = [
    { type: 'text', text: 'night' },
    { type: 'tool_use', id: 'c', name: 'f', input: {} },
    { type: 'text', text: 'fall' },
  ]
  const answer = { ...dialects.messages.reply, content: blocks }
  await using service = await startService(
    { plugins: [guardrail({ rules: [word] })] },
    answerJson(answer),
  )
  useOnly('messages', service)
  const response = await service.ask('messages')
  expect(await response.json()).toMatchObject({ content: blocks })
})

test('a moderation service gets a sentence over two parts of a reply as one text', async () => {
  const texts: string[] = []
  await using moderation = await startFakeAccount((response, { body }) => {
    texts.push((JSON.parse(body.toString()) as { input: string }).input)
    response.end('{"results":[{"flagged":false}]}')
  })
  const plugins = [guardrail({ moderation: { url: moderation.url, in: ['reply'] } })]
  const answer = answering('messages', ['Make a bo', 'mb. ', 'Done.'])
  await using service = await startService({ plugins }, answer)
  useOnly('messages', service)
  const response = await service.ask('messages', { stream: true })
  expect(await response.text()).toContain('message_stop')
  expect(texts).toEqual(['Make a bomb. ', 'Done.'])
})
