import { expect, test } from 'vitest'

import { type Json, framesOf, startServer } from './server.ts'

const url = 'https://example.org/a'
const citation = { type: 'web_search_result_location', url, title: 'A', cited_text: 'x' }
const usage = { input_tokens: 5, output_tokens: 0 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', usage }
const delta = (said: Json) => ({ type: 'content_block_delta', index: 0, delta: said })

/** The order of each web search that Anthropic streams. */
const searched = framesOf([
  { type: 'message_start', message },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  delta({ type: 'citations_delta', citation }),
  delta({ type: 'text_delta', text: 'Hel' }),
  delta({ type: 'text_delta', text: 'lo' }),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
])

const content = [{ type: 'text', text: 'Hello', citations: [citation] }]

test('a citation before its text reaches clients of streams and of JSON', async () => {
  await using server = await startServer((response, { body }) => {
    const isStream = (JSON.parse(String(body)) as Json).stream === true
    const type = isStream ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type })
    response.end(
      isStream ? searched : JSON.stringify({ ...message, content, stop_reason: 'end_turn' }),
    )
  }, 'messages')

  const { text } = await server.ask('responses', { stream: true })
  const events = text.split('\n').flatMap((line) => /^data: (\{.*)/.exec(line)?.[1] ?? [])
  const annotation = { type: 'url_citation', url, title: 'A', start_index: 0, end_index: 5 }
  const part = { type: 'output_text', text: 'Hello', annotations: [annotation] }
  const read = events.map((event) => JSON.parse(event) as Json)
  const named = (type: string) => read.filter((event) => event.type === type)
  expect(named('response.output_text.annotation.added')).toMatchObject([
    { annotation, annotation_index: 0, content_index: 0, output_index: 0 },
  ])
  expect(named('response.content_part.done')).toMatchObject([{ part }])
  expect(named('response.completed')).toMatchObject([
    { response: { output: [{ content: [part] }] } },
  ])

  const json = await server.ask('responses')
  expect(JSON.parse(json.text)).toMatchObject({ output: [{ content: [part] }] })
  const [streamed, whole] = [await server.ask('chat', { stream: true }), await server.ask('chat')]
  for (const chat of [streamed.text, whole.text]) {
    expect(chat).toContain(`"end_index":5,"url":"${url}"`)
  }
})
