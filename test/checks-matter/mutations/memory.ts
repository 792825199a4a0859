import { checksOf } from '../mutation.ts'

const bombs = ['test/requests/bombs.test.ts']
const encodings = ['test/requests/encodings.test.ts']
const memory = ['test/requests/memory.test.ts']
const compressed = ['test/upstream/compressed-replies.test.ts']
const replies = ['test/upstream/not-an-object.test.ts']
const pieces = ['test/json-pieces.test.ts']
const translated = ['test/walks/streams/translated-sizes.test.ts']
const sizes = ['test/walks/images/sizes.test.ts']

/** The limits of large bodies and replies, and of the memory for them. */
export const memoryChecks = [
  ...checksOf('requests', 'src/lib/content-decoder.ts', encodings, {
    'the length after decompression': [
      "if (this.#written > most) this.#stop('bytes')",
      'if (false) {}',
    ],
    'gzip is decoded': ["  ['gzip', () => createGunzip()],", ''],
    'br is decoded': ["  ['br', () => createBrotliDecompress()],", ''],
    'codings are undone in reverse': ['names.toReversed()', 'names'],
    'bytes that cannot be decoded': [
      "layer.on('error', () => this.#stop('invalid'))",
      "layer.on('error', () => this.#sink.onDecodedAll())",
    ],
    'a coding that nobody knows': [
      'names.find((name) => !decoders.has(name))',
      'undefined as string | undefined',
    ],
  }),
  ...checksOf('requests', 'src/lib/content-decoder.ts', bombs, {
    'two codings': ['if (names.length > mostCodings)', 'if (false)'],
    'how much a body grows': ["this.#stop('ratio')", '{}'],
    'codings share one limit': [
      'if (!this.#count(chunk.length)) return',
      'if (!next && !this.#count(chunk.length)) return',
    ],
  }),
  ...checksOf('requests', 'src/body/large-body.ts', bombs, {
    'a large body is measured': ['if (excess) throw excessError(excess, limits)', ''],
    'an unknown model costs no parsing': ['  check()\n', ''],
  }),
  ...checksOf('requests', 'src/body/read-body.ts', bombs, {
    'a small body is not too deep': [
      "throw error instanceof TooDeep ? excessError('jsonDepth', limits) : error",
      '',
    ],
  }),
  ...checksOf('requests', 'src/attempt/read-and-understand.ts', bombs, {
    'no large body is read for an unknown model': [
      'refuseUnknownPathModel(authenticated, operation)',
      '',
    ],
  }),
  ...checksOf('translation', 'src/translate/translation.ts', bombs, {
    'arguments have the limit of a body': ['await checkArguments(request, json, caller.keyId)', ''],
  }),
  ...checksOf('requests', 'src/lib/json/parse-pieces.ts', pieces, {
    'no value between commas': ["if (end === start) throw new SyntaxError('no value')", ''],
    'a comma between two elements': [
      "throw new SyntaxError('no comma between two elements')",
      'return at',
    ],
    'a comma before the end': [
      "if (next >= end - 1) throw new SyntaxError('a comma without an element')",
      'if (next >= end - 1) return -1',
    ],
    'nothing behind the value': ["throw new SyntaxError('text behind the value')", ''],
    'a text ends': ["throw new SyntaxError('an unterminated string')", ''],
    'a name has a value': ["throw new SyntaxError('a name without a value')", ''],
    'no escape is cut': ['return isEscaped(bytes, cut, from) ? cut - 1 : cut', 'return cut'],
    'no character is cut': ['back < 3 && ', 'back < 0 && '],
  }),
  ...checksOf('requests', 'src/lib/json/measure.ts', pieces, {
    'a long string is cut behind an escape': [
      'isEscaped(part, length, from) ? length + 1 : length',
      'length',
    ],
    'a long string goes on': ['this.#openString < 0 ? this.#position', 'true ? this.#position'],
  }),
  ...checksOf('requests', 'src/lib/json/write-pieces.ts', pieces, {
    'a member without a value is left out': ['if (value === undefined) continue', ''],
  }),
  ...checksOf('requests', 'src/lib/cut-in.ts', pieces, {
    'no pair of surrogates is cut': ['code >= 0xd800 && code <= 0xdbff ? at + 1 : at', 'at'],
  }),
  ...checksOf('requests', 'src/exchange/memory-pool.ts', [...memory, 'test/memory-pool.test.ts'], {
    'a share for each key': [
      'if (!fits(usage.all, total, this.#limit * keyShare)) return false',
      '',
    ],
    'a limit for all': ['if (!fits(this.#used, total, this.#limit)) return false', ''],
    'one alone always fits': ['used - own === 0 || ', ''],
    'bodies leave room to others': ["if (use !== 'body') return true", 'if (use) return true'],
    'so many wait': ['usage.waiting >= mostWaitingOfKey', 'false'],
    'those that wait are served': ['if (more < 0) this.#serve()', ''],
  }),
  ...checksOf('requests', 'src/attempt/attempt.ts', memory, {
    'a body is let go when an account has committed': ['exchange.body.release?.()', ''],
  }),
  ...checksOf('requests', 'src/attempt/prepare.ts', memory, {
    'a native attempt lets go of the parsed body': ['exchange.body.releaseJson?.()', ''],
  }),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', memory, {
    'a large reply is counted': ['this.holdReply(this.#granted)', ''],
  }),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', replies, {
    'a reply is an object': ['if (received && !isObject(json)) throw notJson()', ''],
    'a large reply is measured': ['if (excess) throw tooMuchJson(excess)', ''],
    'a small reply is not too deep': ["throw tooMuchJson('jsonDepth')", 'return {}'],
  }),
  ...checksOf('streams', 'src/upstream/attempt-handler.ts', compressed, {
    'a compressed reply is decoded': [
      'this.controller = this.#decoder',
      'this.#decoder = undefined',
    ],
    'an error reply in an unknown coding has no body': [
      'if (!this.#isUnreadable) this.refusal',
      'this.refusal',
    ],
  }),
  ...checksOf('translation', 'src/translate/reply-size.ts', translated, {
    'a translated stream is bounded': ['if (bytes > this.#most)', 'if (false)'],
    'an event that nothing comes of counts': ['if (least > this.#bytes)', 'if (false)'],
  }),
  ...checksOf('translation', 'src/translate/observer.ts', translated, {
    'the events of an account count': ['this.#size.add(event)', ''],
  }),
  ...checksOf('streams', 'src/upstream/observed-stream.ts', translated, {
    'a translated stream takes memory': ["this.holdReply(this.#granted, 'stream')", ''],
  }),
  ...checksOf('images', 'plugins/dialects/images/image-size.ts', sizes, {
    'an image has so many segments': ['const maxSegments = 1_000', 'const maxSegments = 1_000_000'],
    'tables are no frames': [' && !notFrames.has(marker)', ''],
    'fill bytes': ['if (marker === 0xff) return { length: 1 }', ''],
    'the pixels end the search': ['if (marker === 0xda || marker === 0xd9) return undefined', ''],
  }),
  ...checksOf('kept', 'src/jobs/shared-reads.ts', ['test/jobs/shared-reads.test.ts'], {
    'job: each key has its share of reads': [
      'const mostAtOnceOfKey = 2',
      'const mostAtOnceOfKey = 4',
    ],
    'job: so many reads wait': [
      'if (this.#reads >= mostReads || ofKey >= mostReadsOfKey)',
      'if (false)',
    ],
    'job: one that has left waits for nothing': [
      'if (client.gone && !call.finishWithoutClient) throw clientLeft()',
      '',
    ],
  }),
]
