import { expect, test } from 'vitest'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import { context } from './codec.ts'
import { framesTo } from '../frame-sink.ts'

const events = eventsOf({
  choices: [{ content: [{ type: 'text', text: 'Hi' }], stop: { reason: 'stop' } }],
  usage: {},
})

test('a client that did not ask for events gets one JSON array, white space between', () => {
  let body = ''
  const within = context({}, { query: '' })
  const encoder = generateCodec.encodeEvents(
    within,
    framesTo((text) => (body += text)),
  )
  expect(encoder.contentType).toBe('application/json; charset=utf-8')
  body += encoder.keepAlive?.()
  for (const event of events) {
    if (event.type !== 'error') encoder.encode(event)
    if (event.type === 'delta') body += encoder.keepAlive?.()
  }
  expect(JSON.parse(body)).toMatchObject([
    { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    { candidates: [{ finishReason: 'STOP' }] },
  ])
})

test.each([
  ['alt=sse', /^data: \{"error":\{.*\}\}\n\n$/s],
  ['', /^\[\{"error":\{.*\}\}$/s],
])('a stream asked for with "%s" that breaks ends in an error and a reset', (query, written) => {
  let body = ''
  const encoder = generateCodec.encodeEvents(
    context({}, { query }),
    framesTo((text) => (body += text)),
  )
  const error = new GatewayError('upstream_rejected', 'Busy.', { status: 503 })
  expect(encoder.fail(error)).toBe('reset')
  expect(body).toMatch(written)
  expect(body).toContain('"code":503')
  expect(body).toContain('"status":"UNAVAILABLE"')
})
