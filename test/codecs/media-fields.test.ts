import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import { createInlineRemote } from '../../src/remote/inline.ts'
import { codecs, decode, encode, type Name } from './samples/index.ts'

const png = 'data:image/png;base64,iVBO'
const tiff = 'data:image/tiff;base64,SUkq'

/** A text, a picture, and two things behind addresses that no gateway may fetch. */
const bodies: Readonly<Record<Name, JsonObject>> = {
  chat: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: png } },
          { type: 'image_url', image_url: 'https://127.0.0.1/a.png' },
          { type: 'image_url', image_url: { url: 'https://127.0.0.1/b.png' } },
        ],
      },
    ],
  },
  generate: {
    contents: [
      {
        parts: [
          { text: 'Look.' },
          { inline_data: { mime_type: 'image/png', data: 'iVBO' } },
          { fileData: { fileUri: 'https://127.0.0.1/a.png' } },
          { file_data: { file_uri: 'https://127.0.0.1/b.png' } },
        ],
      },
    ],
  },
  messages: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
          { type: 'image', source: { type: 'url', url: 'https://127.0.0.1/a.png' } },
          { type: 'image', source: { type: 'url', url: 'https://127.0.0.1/b.png' } },
        ],
      },
    ],
  },
  responses: {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: png },
          { type: 'input_image', image_url: 'https://127.0.0.1/a.png' },
          { type: 'input_image', image_url: 'https://127.0.0.1/b.png' },
        ],
      },
    ],
  },
}

const fields: [Name, string[]][] = [
  ['chat', [1, 2, 3].map((at) => `messages[0].content[${at}].image_url`)],
  [
    'generate',
    [
      'contents[0].parts[1].inline_data',
      'contents[0].parts[2].fileData.fileUri',
      'contents[0].parts[3].file_data.file_uri',
    ],
  ],
  ['messages', [1, 2, 3].map((at) => `messages[0].content[${at}]`)],
  ['responses', [1, 2, 3].map((at) => `input[0].content[${at}].image_url`)],
]

/** What the client calls the pictures of its request. */
function fieldsOf({ turns }: GenerateRequest): (string | undefined)[] {
  return turns.flatMap((turn) =>
    turn.role === 'user'
      ? turn.content.flatMap((part) => (part.type === 'image' ? [part.field] : []))
      : [],
  )
}

describe.each(fields)('a client of %s with several pictures', (client, named) => {
  test('has each of them known by its own name', () => {
    const request = decode(client, bodies[client])
    expect(fieldsOf(request)).toEqual(named)
    expect(request.fields.image_url).toBe(named[1])
  })

  test('is told by its name which of them cannot be fetched, not only of the first', async () => {
    const inline = createInlineRemote()
    const { turns, ...rest } = decode(client, bodies[client])
    const [turn] = turns
    const onlySecond = turn?.role === 'user' ? turn.content.toSpliced(2, 1) : []
    const request = { ...rest, turns: [{ role: 'user' as const, content: onlySecond }] }

    await expect(inline(request, codecs.generate)).rejects.toMatchObject({
      code: 'invalid_value',
      param: named[2],
      message: expect.stringContaining(`\`${named[2]}\` cannot be fetched`),
    })
  })
})

test('a client is told by its name which picture is of a form that no account takes', () => {
  const content = [
    { type: 'image_url', image_url: { url: png } },
    { type: 'image_url', image_url: { url: tiff } },
  ]
  const request = decode('chat', { messages: [{ role: 'user', content }] })
  expect(() => encode('messages', request)).toThrow(
    expect.objectContaining({ code: 'invalid_value', param: 'messages[0].content[1].image_url' }),
  )
})

test('a client is told by its name which document is of a form that no account takes', () => {
  const parts = [
    { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
    { inlineData: { mimeType: 'application/zip', data: 'UEsD' } },
  ]
  expect(() => encode('messages', decode('generate', { contents: [{ parts }] }))).toThrow(
    expect.objectContaining({ code: 'invalid_value', param: 'contents[0].parts[1].inlineData' }),
  )
})
