import { expect, test } from 'vitest'

import { decode } from './codec.ts'

function ask(...content: object[]) {
  const { turns, fields, extras } = decode({ input: [{ role: 'user', content }] })
  const [turn] = turns
  return { parts: turn?.role === 'user' ? turn.content : [], fields, extras }
}

const png = 'data:image/png;base64,iVBORw0KGgo='

test("pictures come in the provider's form and in the contract's own", () => {
  const picture = {
    type: 'image',
    source: { kind: 'data', base64: 'iVBORw0KGgo=' },
    mediaType: 'image/png',
  }
  const { parts, fields } = ask(
    { type: 'input_image', image_url: png, detail: 'low' },
    { type: 'image_url', image_url: { url: png, detail: 'high' } },
    { type: 'image_url', image_url: png },
  )
  expect(parts).toEqual([
    { ...picture, detail: 'low', field: 'input[0].content[0].image_url' },
    { ...picture, detail: 'high', field: 'input[0].content[1].image_url' },
    { ...picture, field: 'input[0].content[2].image_url' },
  ])
  expect(fields).toEqual({
    image_input: 'input[0].content[0]',
    image_detail: 'input[0].content[0].detail',
  })
})

test('a picture at an address is told as such', () => {
  const { parts, fields } = ask({ type: 'input_image', image_url: 'https://a.example/a.png' })
  expect(parts).toEqual([
    {
      type: 'image',
      source: { kind: 'url', url: 'https://a.example/a.png' },
      field: 'input[0].content[0].image_url',
    },
  ])
  expect(fields.image_url).toBe('input[0].content[0].image_url')
})

test('documents come as bytes, as data URLs and at addresses', () => {
  const { parts, fields } = ask(
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    { type: 'input_file', filename: 'b.pdf', file_data: 'JVBERi0=' },
    { type: 'input_file', file_url: 'https://a.example/c.pdf' },
  )
  const pdf = {
    type: 'file',
    source: { kind: 'data', base64: 'JVBERi0=' },
    mediaType: 'application/pdf',
  }
  expect(parts).toEqual([
    { ...pdf, name: 'a.pdf', field: 'input[0].content[0].file_data' },
    { ...pdf, name: 'b.pdf', field: 'input[0].content[1].file_data' },
    {
      type: 'file',
      source: { kind: 'url', url: 'https://a.example/c.pdf' },
      field: 'input[0].content[2].file_url',
    },
  ])
  expect(fields).toEqual({
    file_input: 'input[0].content[0]',
    file_url: 'input[0].content[2].file_url',
  })
})

test('sound comes beside its format', () => {
  const { parts, fields } = ask({
    type: 'input_audio',
    input_audio: { data: 'AAAA', format: 'mp3' },
  })
  expect(parts).toEqual([
    {
      type: 'audio',
      source: { kind: 'data', base64: 'AAAA' },
      mediaType: 'audio/mpeg',
      field: 'input[0].content[0]',
    },
  ])
  expect(fields.audio_input).toBe('input[0].content[0]')
})

test.each([
  [{ type: 'input_image', file_id: 'file_1' }, 'input[0].content[0].file_id'],
  [{ type: 'input_file', file_id: 'file_1' }, 'input[0].content[0].file_id'],
  [{ type: 'input_video', video_url: 'https://a.example/v.mp4' }, 'input[0].content[0]'],
])('%j can only be served by an account of this dialect', (part, field) => {
  expect(ask(part).extras).toMatchObject([{ field, treatment: 'native' }])
})

test('pictures in what a tool says are told as such', () => {
  const { turns, fields } = decode({
    input: [
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [{ type: 'input_image', image_url: png }],
      },
    ],
  })
  expect(turns[1]).toMatchObject({ role: 'tool', results: [{ content: [{ type: 'image' }] }] })
  expect(fields.tool_result_media).toBe('input[1].output')
})
