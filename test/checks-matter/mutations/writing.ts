import { checksOf } from '../mutation.ts'

const chunks = ['test/walks/streams/chunks.test.ts']
const translated = [
  'test/upstream/body-writer.test.ts',
  'test/walks/streams/translated-chunks.test.ts',
]
const clients = ['test/walks/streams/translated-clients.test.ts']
const slow = ['test/upstream/body-writer.test.ts', 'test/walks/streams/slow-client.test.ts']
const writer = ['test/upstream/body-writer.test.ts']

/** How the body of a stream is written down on its connection. */
export const writingChecks = [
  ...checksOf('streams', 'src/upstream/body-writer.ts', chunks, {
    'a client of HTTP/1.0 is sent no frames': [
      'this.#isChunked = response.chunkedEncoding',
      'this.#isChunked = true',
    ],
    'frames are not framed again': ['if (this.#isChunked) response.chunkedEncoding = false', ''],
    'a body says that it is over': ['this.#isChunked ? lastChunk : undefined', 'undefined'],
  }),
  ...checksOf('translation', 'src/upstream/body-writer.ts', translated, {
    'a chunk is written as it is': ['this.#isChunked ? chunk.bytes :', 'false ? chunk.bytes :'],
    'a body without chunks gets what stands in one': [
      'this.#isChunked ? chunk.bytes :',
      'true ? chunk.bytes :',
    ],
  }),
  ...checksOf('translation', 'src/upstream/reply-stream.ts', translated, {
    'whoever reads a stream gets what stands in a chunk': [
      'this.write(chunk.content)',
      'this.write(chunk.bytes)',
    ],
  }),
  ...checksOf('streams', 'src/http/listener.ts', translated, {
    'a stream of a plugin that flows already loses nothing': [
      'return mayWait(reply) ? atEndOfTurn(written) : written()',
      'return atEndOfTurn(written)',
    ],
  }),
  ...checksOf('translation', 'src/upstream/client-stream.ts', clients, {
    'a slow client of a translated stream is waited for': [
      'if (!this.#stream.writeChunk(chunk)) this.#attempt.onFull()',
      'this.#stream.writeChunk(chunk)',
    ],
    'what nobody gets of a translated stream is not counted': [
      '    if (!this.#attempt.hasClient) return\n    this.#note(chunk',
      '    this.#note(chunk',
    ],
    'of a chunk its content counts': [
      'this.#note(chunk.content, chunk.length)',
      'this.#note(chunk.content, chunk.bytes.length)',
    ],
  }),
  ...checksOf('streams', 'src/upstream/body-writer.ts', writer, {
    'an empty piece ends nothing': ['if (bytes.length === 0) return true', ''],
    'the pieces of one turn go out together': ['    this.#response.cork()\n', ''],
    'an ended reply leaves its connection alone': [
      'if (!this.#response.writableEnded) this.#response.uncork()',
      'this.#response.uncork()',
    ],
  }),
  ...checksOf('streams', 'src/upstream/body-writer.ts', slow, {
    'a client that took what was there gets more': ["    response.on('drain', onReady)\n", ''],
    'a client that takes no more is waited for': [
      'if (bytes.length <= maxCopiedBytes) return response.write(chunkOf(bytes))',
      'if (bytes.length <= maxCopiedBytes) return response.write(chunkOf(bytes)) || true',
    ],
  }),
]
