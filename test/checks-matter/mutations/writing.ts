import { checksOf } from '../mutation.ts'

const chunks = ['test/walks/streams/chunks.test.ts']
const slow = ['test/walks/streams/slow-client.test.ts']
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
  ...checksOf('streams', 'src/upstream/body-writer.ts', writer, {
    'an empty piece ends nothing': ['if (bytes.length === 0) return true', ''],
  }),
  ...checksOf('streams', 'src/upstream/body-writer.ts', slow, {
    'a client that took what was there gets more': ["    response.on('drain', onReady)\n", ''],
    'a client that takes no more is waited for': [
      'if (bytes.length <= mostCopied) return response.write(chunkOf(bytes))',
      'if (bytes.length <= mostCopied) return response.write(chunkOf(bytes)) || true',
    ],
  }),
]
