import { checksOf } from '../mutation.ts'

const schemas = ['test/codecs/messages/recursive-schema.test.ts']
const walk = 'plugins/dialects/messages/codec/encode-request/recursive-schema.ts'
const values = ['test/requests/many-values.test.ts']
const failures = ['test/secrets/large-failures.test.ts']
const citations = ['test/codecs/generate/long-citations.test.ts']
const items = ['test/codecs/many-items.test.ts']
const keys = ['test/text-map.test.ts']
const generateCodec = 'plugins/dialects/generate/codec'

/** Work that one request must not multiply. */
export const stallChecks = [
  ...checksOf('streams', 'src/lib/json/white-space.ts', ['test/json-scan.test.ts'], {
    'a word of white space has no higher byte': [
      '(word | (word + 0x5f5f5f5f))',
      '(word + 0x5f5f5f5f)',
    ],
    'a word of white space has no printable byte': ['(word | (word + 0x5f5f5f5f))', 'word'],
    'a word of white space of JSON has no other control': [
      'isSpace(word >>> 24)',
      'isControl(word >>> 24)',
    ],
  }),
  ...checksOf('streams', 'src/upstream/reply-collector.ts', ['test/errors/large-errors.test.ts'], {
    'an error of many values is not read': ['hasManyValues(body) ? undefined : ', ''],
  }),
  ...checksOf('translation', 'src/lib/text-map.ts', keys, {
    'a long text is no key': ['value.length <= longest || ', ''],
    'a long text has a digest as its key': ['value.length <= longest ||', 'true ||'],
    'a half of a surrogate pair is not any other': ['return text.isWellFormed()', 'return true'],
  }),
  ...checksOf('translation', walk, schemas, {
    'a node of a schema is entered once': [
      'else if (!this.#done.has(node)) this.#enter(node)',
      'else this.#enter(node)',
    ],
  }),
  ...checksOf('translation', 'src/translate/services.ts', values, {
    'arguments have the configured limit': ['jsonValues ?? defaultLimits', 'defaultLimits'],
  }),
  ...checksOf('streams', 'src/kit/redact-in-turns.ts', failures, {
    'a long text is redacted where it is divided': ['= 16 * 1024', '= 0'],
    'names in a large reply are redacted': ['await this.#member(name)', 'name'],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', failures, {
    'a failure at length is not redacted': ['if (isLarge)', 'if (false)'],
  }),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', failures, {
    'a long error counts by its status': ['answer(errorBodyBytes)', 'answer()'],
    'a large failed reply is redacted': [
      'return clean === value ? bytes : writeJson(clean)',
      'return bytes',
    ],
  }),
  ...checksOf('translation', `${generateCodec}/text-positions.ts`, citations, {
    'a cited text is passed over once': [
      'if (this.#blocks) return this.#blocks',
      'if (this.#bytes < 0) return []',
    ],
    'part of a character counts as one unit': ['unit : unit + 1', 'unit : unit'],
  }),
  ...checksOf('translation', `${generateCodec}/distinct-citations.ts`, citations, {
    'repeated addresses of pages have a bound': ['this.#repeated > mostRepeated', 'false'],
  }),
  ...checksOf('translation', `${generateCodec}/citations.ts`, citations, {
    'a support reads each page once': ['new Set<number>(', 'Array.from<number>('],
  }),
  ...checksOf('translation', 'plugins/dialects/chat/codec/decode-reply/call-table.ts', items, {
    'the first call with an id counts': ['!this.#byUpstreamId.has(upstreamId)', 'true'],
  }),
  ...checksOf(
    'translation',
    'plugins/dialects/responses/codec/decode-reply/item-places.ts',
    items,
    {
      'the item counts whose index came first': [
        'ranks.splice(placeOf(rank, ranks), 0, rank)',
        'ranks.push(rank)',
      ],
      'a replaced item has no place': ['ranks?.splice(placeOf(rank, ranks), 1)', ''],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/responses/codec/encode-reply/message-item.ts',
    items,
    { 'an ended part is looked at no more': ['=== false) this.#ended++', '=== undefined) {}'] },
  ),
]
