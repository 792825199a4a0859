import { checksOf } from '../mutation.ts'

const body = 'src/body/read-body.ts'

/** How a body is read, whatever its dialect. */
export const bodyChecks = [
  ...checksOf('requests', 'src/body/member-rules.ts', ['test/requests/ambiguous-keys.test.ts'], {
    'model is watched in every body': ["  model: { type: 'string' },\n", ''],
    'stream is watched in every body': ["  stream: { type: 'boolean' },\n", ''],
    'previous_response_id is watched in every body': [
      "  previous_response_id: { type: 'string' },\n",
      '',
    ],
  }),
  ...checksOf('requests', 'src/body/member-reader.ts', ['test/requests/ambiguous-keys.test.ts'], {
    'no key has escapes or capitals': ['if (meant) throw misspelled(meant.name, path)', ''],
  }),
  ...checksOf('requests', body, ['test/requests/body-limits.test.ts'], {
    'the length that is told': [
      "if (Number(request.headers['content-length']) > limits.jsonBodyBytes) {",
      'if (false) {',
    ],
    'the length that is counted': ['if (size > limits.jsonBodyBytes) settle', 'if (false) settle'],
  }),
  ...checksOf('requests', body, ['test/requests/encodings.test.ts'], {
    'compressed bodies are decoded': [
      'encoding ? raw.then((bytes) => decode(bytes, encoding, limits, lease)) : raw',
      'raw',
    ],
  }),
  ...checksOf('requests', body, ['test/requests/not-json.test.ts'], {
    'a body is JSON': [
      "return new GatewayError('invalid_json', notJson(text, bytes.length > searchedBytes))",
      "return new GatewayError('internal_error', 'not JSON')",
    ],
    'a body is an object': [
      "if (typeof json !== 'object' || json === null || Array.isArray(json)) throw",
      'if (false) throw',
    ],
    'a body is no form': [
      "if (request.headers['content-type']?.startsWith('multipart/')) {",
      'if (false) {',
    ],
  }),
  ...checksOf('requests', body, ['test/requests/wrong-types.test.ts'], {
    'a body that was not meant as JSON': ['if (context) assertJsonIntended(text, context)', ''],
  }),
  ...checksOf('requests', 'src/body/body-type.ts', ['test/requests/wrong-types.test.ts'], {
    'JSON may have any type': ['/^\\s*[{[]/.test(text) || mayBeJson(type)', 'mayBeJson(type)'],
  }),
  ...checksOf('requests', body, ['test/requests/stalled-bodies.test.ts'], {
    'a body that stops': ['if (!isPaused && pace.isTooSlow(now))\n', 'if (false)\n'],
    'a body that is slow but moves': ['pace.add(chunk.length, performance.now())\n', '\n'],
  }),
]
