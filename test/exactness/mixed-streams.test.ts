import { expect, test } from 'vitest'

import { answerStream } from '../../src/testing/fake-account.ts'
import { startService } from '../requests/service.ts'
import { readEvents } from './sse-events.ts'

const created = 'event: response.created\r\ndata: {"type":"response.created","response":{"id":"r"}}'
const delta = 'data: {"type":"response.output_text.delta","delta":"hello"}'
const completed = 'data: {"type":"response.completed","response":{"id":"r","status":"completed"}}'

test('a stream whose line ends a proxy has mixed comes out whole, cut anywhere', async () => {
  const sent = `${created}\r\n\r\n${delta}\n\n${delta}\r\n\r\n${completed}\n\n`
  let cut = 0
  await using service = await startService({}, (response, request) =>
    answerStream([sent.slice(0, cut), sent.slice(cut)])(response, request),
  )
  for (cut = 0; cut < sent.length; cut += 7) {
    const response = await service.ask('responses', { stream: true })
    expect(readEvents(await response.text())).toEqual(readEvents(sent))
  }
})

test('C13: a chat stream without [DONE] is complete, however its finish reason is spaced', async () => {
  const chunk = '{"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]}'
  const last = '{"choices":[{"index":0,"delta":{},"finish_reason" : "stop"}]}'
  const sent = `data: ${chunk}\n\ndata: ${last}\n\n`
  await using service = await startService({}, answerStream([sent]))
  const response = await service.ask('chat', { stream: true })
  expect(await response.text()).toBe(sent)
})
