import { expect, test } from 'vitest'

import { decode } from './codec.ts'

test('a client that talks back and forth has its turns read', () => {
  const { turns } = decode({
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ text: 'Hi' }] },
      { parts: [{ text: 'How are you?' }] },
    ],
  })
  expect(turns).toEqual([
    {
      role: 'system',
      content: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Be kind.' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'user', content: [{ type: 'text', text: 'How are you?' }] },
  ])
})

test('a client that writes snake_case is understood the same, and losses name what it wrote', () => {
  const { turns, sampling, fields, extras } = decode({
    system_instruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'iVBORw==' } }] },
    ],
    generation_config: { top_k: 4, max_output_tokens: 5 },
    safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  })
  expect(turns[0]).toEqual({ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] })
  expect(turns[1]).toMatchObject({ content: [{ type: 'image', mediaType: 'image/png' }] })
  expect(sampling.topK).toBe(4)
  expect(fields.top_k).toBe('generation_config.top_k')
  expect(fields.image_input).toBe('contents[0].parts[0].inline_data')
  expect(extras).toMatchObject([{ field: 'safety_settings', treatment: 'warn' }])
})

test('a chat that sends a streamed answer back in its pieces has said one text', () => {
  const { turns } = decode({
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ text: ' there' }] },
      { role: 'model', parts: [{ text: '' }] },
      { role: 'user', parts: [{ text: 'Go on' }] },
    ],
  })
  expect(turns[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Hi there' }] })
  expect(turns).toHaveLength(3)
})

test('a client that sends media has pictures, sounds and documents told apart', () => {
  const { turns, fields } = decode({
    contents: [
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/jpeg', data: '_-8=' } },
          { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBE', displayName: 'a.pdf' } },
          { fileData: { fileUri: 'https://files.example/cat.png' } },
          { fileData: { fileUri: 'https://files.example/a.pdf', mimeType: 'application/pdf' } },
        ],
      },
    ],
  })
  expect(turns).toEqual([
    {
      role: 'user',
      content: [
        {
          type: 'image',
          source: { kind: 'data', base64: '/+8=' },
          mediaType: 'image/jpeg',
          field: 'contents[0].parts[0].inlineData',
        },
        {
          type: 'audio',
          source: { kind: 'data', base64: 'UklG' },
          mediaType: 'audio/wav',
          field: 'contents[0].parts[1].inlineData',
        },
        {
          type: 'file',
          source: { kind: 'data', base64: 'JVBE' },
          mediaType: 'application/pdf',
          name: 'a.pdf',
          field: 'contents[0].parts[2].inlineData',
        },
        {
          type: 'image',
          source: { kind: 'url', url: 'https://files.example/cat.png' },
          mediaType: 'image/png',
          field: 'contents[0].parts[3].fileData.fileUri',
        },
        {
          type: 'file',
          source: { kind: 'url', url: 'https://files.example/a.pdf' },
          mediaType: 'application/pdf',
          field: 'contents[0].parts[4].fileData.fileUri',
        },
      ],
    },
  ])
  expect(fields).toEqual({
    image_input: 'contents[0].parts[0].inlineData',
    audio_input: 'contents[0].parts[1].inlineData',
    file_input: 'contents[0].parts[2].inlineData',
    image_url: 'contents[0].parts[3].fileData.fileUri',
    file_url: 'contents[0].parts[4].fileData.fileUri',
  })
})

test('a client that begins the answer for the model, or speaks as system later, is noticed', () => {
  const { fields, turns } = decode({
    contents: [
      { role: 'user', parts: [{ text: 'Count' }] },
      { role: 'system', parts: [{ text: 'In Dutch.' }] },
      { role: 'model', parts: [{ text: 'Een,' }] },
    ],
  })
  expect(turns.map(({ role }) => role)).toEqual(['user', 'system', 'assistant'])
  expect(fields).toEqual({
    system_midway: 'contents[1].role',
    assistant_prefill: 'contents[2].role',
  })
})

test('a client that sends sound by its address is told apart from one that sends a file', () => {
  const parts = [{ fileData: { fileUri: 'https://files.example/a.mp3' } }]
  const { fields } = decode({ contents: [{ role: 'user', parts }] })
  const at = 'contents[0].parts[0].fileData'
  expect(fields).toEqual({ audio_input: at, audio_url: `${at}.fileUri` })
})
