import { expect, test } from 'vitest'

import { readEvents } from '../exactness/sse-events.ts'
import { type DialectName } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'

const starts: Record<DialectName, string> = {
  responses:
    'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"r"}}\n\n' +
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":1,"delta":"x"}\n\n',
  chat: 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n',
  messages:
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\n' +
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}\n\n',
  generate: 'data: {"candidates":[{"content":{"parts":[{"text":"x"}]}}]}\n\n',
}

/** What a client gets of a stream that ends in the middle, and whether it ended in good order. */
async function broken(dialect: DialectName) {
  await using service = await startService({}, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(starts[dialect])
  })
  const path = '/v1beta/models/m:streamGenerateContent?alt=sse'
  const options = dialect === 'generate' ? { path } : {}
  const response = await service.ask(dialect, { stream: true }, options)
  let text = ''
  let clean = true
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  } catch {
    clean = false
  }
  expect(text.startsWith(starts[dialect])).toBe(true)
  const events = readEvents(text.slice(starts[dialect].length)).map(({ name, data }) => ({
    name,
    data: data === '[DONE]' ? data : (JSON.parse(data) as unknown),
  }))
  return { events, clean, id: response.headers.get('x-request-id') }
}

const whole = {
  code: 502,
  message: expect.stringMatching(/./) as string,
  details: expect.any(Array) as unknown[],
}

test('C19: responses tell the error flat and nested, then the failed response', async () => {
  const { events } = await broken('responses')
  expect(events).toMatchObject([
    {
      name: 'error',
      data: {
        type: 'error',
        sequence_number: 2,
        code: 'upstream_stream_broken',
        message: whole.message,
        param: null,
        error: whole,
      },
    },
    {
      name: 'response.failed',
      data: {
        type: 'response.failed',
        sequence_number: 3,
        response: { id: 'r', status: 'failed', error: { code: 'server_error' } },
      },
    },
    { name: '', data: '[DONE]' },
  ])
})

test('chat tells the error in the envelope and never says done', async () => {
  const { events } = await broken('chat')
  expect(events).toMatchObject([{ name: '', data: { error: whole } }])
})

test('#7 messages tell it as an event, in the envelope', async () => {
  const { events, id } = await broken('messages')
  expect(events).toMatchObject([
    { name: 'error', data: { type: 'error', error: whole, request_id: id } },
  ])
})

test('#7 Gemini tells it as a chunk and resets the connection', async () => {
  const { events, clean } = await broken('generate')
  expect(events).toMatchObject([{ name: '', data: { error: { ...whole, status: 'UNAVAILABLE' } } }])
  expect(clean).toBe(false)
})
