import { expect, test } from 'vitest'

import { added, completed, contentOf, created, done, hello, message, say } from './account-wire.ts'

test.each(['response.reasoning_text.delta', 'response.reasoning.delta'])(
  '%s is what was thought',
  (type) => {
    const item = { id: 'rs_1', type: 'reasoning', summary: [] }
    const think = (delta: string, content_index = 0) => ({
      type,
      item_id: 'rs_1',
      output_index: 0,
      content_index,
      delta,
    })
    expect(
      contentOf(created, added(item), think('a'), think('b'), think('c', 1), done(item), completed),
    ).toEqual([{ type: 'reasoning', form: 'raw', text: 'ab\n\nc' }])
  },
)

test('the parts of a summary are one thought, whose signature comes at its end', () => {
  const item = { id: 'rs_1', type: 'reasoning', summary: [] }
  const sum = (delta: string, summary_index: number) => ({
    type: 'response.reasoning_summary_text.delta',
    output_index: 0,
    summary_index,
    delta,
  })
  const summary = ['one', 'two'].map((text) => ({ type: 'summary_text', text }))
  const events = [
    created,
    added(item),
    sum('one', 0),
    sum('two', 1),
    done({ ...item, summary, encrypted_content: 'sealed' }),
    completed,
  ]
  expect(contentOf(...events)).toEqual([
    {
      type: 'reasoning',
      form: 'summary',
      text: 'one\n\ntwo',
      signature: { dialect: 'responses', value: 'sealed', id: 'rs_1' },
    },
  ])
})

test('what hosted tools do is not told', () => {
  const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' }
  expect(
    contentOf(
      created,
      added(search),
      { type: 'response.web_search_call.searching', output_index: 0 },
      done(search),
      added(message, 1),
      say('Hello', 1),
      completed,
    ),
  ).toEqual(hello)
})

test('citations come with the text that they belong to, each once', () => {
  const annotation = {
    type: 'url_citation',
    url: 'https://a.example',
    title: 'A',
    start_index: 0,
    end_index: 5,
  }
  const cite = {
    type: 'response.output_text.annotation.added',
    output_index: 0,
    content_index: 0,
    annotation,
  }
  const whole = {
    ...message,
    content: [
      { type: 'output_text', text: 'Hello', annotations: [annotation, { type: 'file_citation' }] },
    ],
  }
  const citations = [{ url: 'https://a.example', title: 'A', start: 0, end: 5 }]
  expect(contentOf(created, added(message), say('Hello'), cite, done(whole), completed)).toEqual([
    { ...hello[0], citations },
  ])
  expect(contentOf(created, added(message), say('Hello'), done(whole), completed)).toEqual([
    { ...hello[0], citations },
  ])
})
