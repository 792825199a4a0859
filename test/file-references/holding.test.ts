import { Readable } from 'node:stream'

import { describe, expect, test } from 'vitest'

import { chatFiles } from '../../plugins/dialects/chat/files.ts'
import { parseJsonBody } from '../../src/body/read-body.ts'
import type { RequestBody } from '../../src/contract/body.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { Authenticated } from '../../src/contract/exchange.ts'
import type { Files, OpenedFile } from '../../src/contract/files.ts'
import { createFileInliner } from '../../src/file-references/index.ts'

const limits = { maxBytes: 10, maxTotalBytes: 100, maxFiles: 3, totalTimeoutMs: 10_000 }

/** One storage, whose every file is what a test says; it counts what it is asked for. */
function inlinerOf({ file = {}, url }: { file?: Partial<OpenedFile>; url?: string } = {}) {
  let opened = 0
  const files: Files = {
    schemes: ['local', 's3'],
    owns: (path) => /^(?:local|s3):\/\//.test(path),
    async open() {
      opened++
      return { stream: Readable.from([Buffer.from('bytes')]), size: 5, type: 'image/png', ...file }
    },
    urlFor: async () => url,
  }
  const inline = createFileInliner({ files, limits })
  const exchange = {
    dialect: { files: chatFiles },
    caller: { keyId: 'alice', mayUse: () => true },
    client: { signal: new AbortController().signal },
    progress: {},
  } as unknown as Authenticated
  return {
    inline: (body: RequestBody) => inline(exchange, body),
    read: async (body: RequestBody) => (await inline(exchange, body)).bytes.toString(),
    opened: () => opened,
  }
}

function bodyOf(content: unknown, further = {}): RequestBody {
  const body = { model: 'm', messages: [{ role: 'user', content }], ...further }
  return parseJsonBody(Buffer.from(JSON.stringify(body)))
}

const picture = (url: string) => ({ type: 'image_url', image_url: { url } })

describe('a body that names no upload', () => {
  test.each([
    ['has only text', bodyOf('hello')],
    ['tells of a path', bodyOf('see local://a and "local://b"')],
    ['begins a text with a path', bodyOf('local://a')],
    ['has a path for a tool', bodyOf('hi', { tools: [{ image_url: { url: 'local://a' } }] })],
    ['names what is elsewhere', bodyOf([picture('https://local://a')])],
    [
      'names what is elsewhere beside the text of a path',
      bodyOf([picture('https://x.test/a.png'), { type: 'text', text: 'local://a' }]),
    ],
    ['nests deeper than content does', bodyOf(nested(picture('local://a'), 20))],
  ])('and %s is the same body, at once', (_, body) => {
    const { inline, opened } = inlinerOf()
    expect(inline(body)).toBe(body)
    expect(opened()).toBe(0)
  })
})

function nested(value: unknown, levels: number): unknown {
  return levels === 0 ? [value] : [{ content: nested(value, levels - 1) }]
}

test('a file that is named twice is read once', async () => {
  const { read, opened } = inlinerOf()
  const text = await read(bodyOf([picture('s3://a/b.png'), picture('s3://a/b.png')]))
  expect(text.match(/data:image\/png;base64,Ynl0ZXM=/g)).toHaveLength(2)
  expect(opened()).toBe(1)
})

test('a request names only so many files', async () => {
  const pictures = (...paths: string[]) => bodyOf(paths.map((path) => picture(`local://${path}`)))
  const { inline, opened } = inlinerOf()
  await expect(inline(pictures('a', 'b', 'c', 'd'))).rejects.toMatchObject({
    status: 400,
    param: 'messages[0].content[3].image_url.url',
  })
  expect(opened()).toBe(0)
})

test('and in only so many places', () => {
  const { inline, opened } = inlinerOf()
  const places = Array.from({ length: 10_001 }, () => picture('local://a'))
  expect(() => inline(bodyOf(places))).toThrow(/10000 places/)
  expect(opened()).toBe(0)
})

test('of members that stand twice the one that counts is replaced', async () => {
  const { read } = inlinerOf()
  const text =
    '{"messages":[{"content":[{"image_url":{"url":"x","url":"local://a"},"type":"image_url"}]}]}'
  expect(await read(parseJsonBody(Buffer.from(text)))).toBe(
    text.replace('local://a', 'data:image/png;base64,Ynl0ZXM='),
  )
})

describe('a file that is too large to be held', () => {
  const file = { size: 11 }

  test('is named by a URL that the account can reach', async () => {
    const { read } = inlinerOf({ file, url: 'https://bucket.example/a?signed' })
    expect(await read(bodyOf([picture('s3://a')]))).toContain(
      '{"url":"https://bucket.example/a?signed"}',
    )
  })

  test.each([undefined, 'http://bucket.example/a'])('or refused where that is %s', async (url) => {
    const { read } = inlinerOf({ file, ...(url !== undefined && { url }) })
    await expect(read(bodyOf([picture('s3://a')]))).rejects.toMatchObject({
      status: 400,
      param: 'messages[0].content[0].image_url.url',
    })
  })

  test('is not read to its end for that', async () => {
    const stream = Readable.from([Buffer.from('a beginning')])
    const { read } = inlinerOf({ file: { ...file, stream } })
    await expect(read(bodyOf([picture('s3://a')]))).rejects.toMatchObject({ status: 400 })
    expect(stream.destroyed).toBe(true)
  })

  test('or refused where accounts take no URL', async () => {
    const { read } = inlinerOf({ file, url: 'https://bucket.example/a' })
    const document = { type: 'file', file: { file_id: 's3://a' } }
    await expect(read(bodyOf([document]))).rejects.toMatchObject({ status: 400 })
  })
})

test.each([
  ['breaks off', () => ({ stream: failing(new Error('ECONNRESET at 10.0.0.7')) })],
  ['ends early', () => ({ size: 6 })],
])('a file whose storage %s is the gateway’s own failure', async (_, made) => {
  const { read } = inlinerOf({ file: made() })
  const error = await read(bodyOf([picture('local://a')])).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 503, code: 'storage_unavailable' })
  expect((error as GatewayError).message).not.toContain('10.0.0.7')
})

function failing(error: Error): Readable {
  return new Readable({
    read() {
      this.destroy(error)
    },
  })
}

test.each([
  [Buffer.from('GIF89a...'), 'image/png', 'image/gif'],
  [Buffer.from('RIFF'), 'application/octet-stream', 'image/webp'],
  [Buffer.from('plain'), 'text/plain; charset=utf-8', 'text/plain'],
  [Buffer.from('what'), undefined, 'image/webp'],
])('%s that is said to be %s is told as %s', async (bytes, type, told) => {
  const stream = Readable.from([bytes])
  const { read } = inlinerOf({ file: { stream, size: bytes.length, type } })
  expect(await read(bodyOf([picture('local://a/b.webp')]))).toContain(`data:${told};base64,`)
})
