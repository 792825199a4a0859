import { checksOf, removed } from '../mutation.ts'

const parser = 'src/body/form/form-parser.ts'
const head = 'src/body/form/part-head.ts'
const watched = 'src/body/form/watched-parts.ts'
const reading = 'src/body/form/read-form.ts'
const refused = ['test/multipart/refused.test.ts']
const limits = ['test/multipart/limits.test.ts']
const names = ['test/multipart/names.test.ts']
const read = ['test/multipart/reading.test.ts']

/** How a form is read: what another reader could read otherwise, and what there is too much of. */
export const formChecks = [
  ...checksOf('requests', parser, refused, {
    'a form ends with its closing boundary': [
      'if (!isClosed) throw this.#incompleteError()',
      'if (this.#parts.length < 0) throw this.#incompleteError()',
    ],
    'nothing comes after it': ["if (this.#state === 'epilogue')", 'if (false)'],
    'a boundary begins a line of its own': ['if (end < part.start) throw', 'if (false) throw'],
    'a boundary is followed by little': ['if (at - from > maxPadding)', 'if (false)'],
    ...removed({
      'a form has parts':
        "if (this.#parts.length === 0) throw invalidForm('The form has no parts.')",
      'the charset of all texts': "assertUtf8(this.#texts.get('_charset_'), 'The form')",
    }),
  }),
  ...checksOf('requests', parser, limits, {
    'the size of a form': [
      'if (this.#offset + this.#pending.length + chunk.length > this.#limits.formBytes) {',
      'if (false) {',
    ],
    'the size of a part': ['if (end - part.start <= formPartBytes) return', 'if (end > 0) return'],
    'the size of a part that has not come whole': ['this.#checkSize(this.#part, until - 2)', ''],
    'the size of its headers': ['if (length > maxHeadBytes) {', 'if (false) {'],
    'the number of parts': ['if (this.#parts.length === maxParts) {', 'if (false) {'],
  }),
  ...checksOf('requests', 'src/body/form/texts.ts', limits, {
    'the size of all texts': ['if (this.#total > maxTotalTextBytes) {', 'if (false) {'],
    'a text that was not kept is not told as absent': [
      'if (text === undefined && this.#texts.has(name)) {',
      'if (false) {',
    ],
  }),
  ...checksOf('requests', 'src/body/form/texts.ts', refused, {
    'texts are UTF-8': ['if (bytes && !isUtf8(bytes)) {', 'if (false) {'],
  }),
  ...checksOf('requests', 'src/body/form/delimiter.ts', refused, {
    'lines of a form end with CRLF': [
      'if (last === lineFeed || last === carriageReturn) {',
      'if (false) {',
    ],
  }),
  ...checksOf('requests', 'src/body/form/delimiter.ts', refused, {
    'a boundary outside of parts begins a line': ["if (where === 'outside')", 'if (false)'],
  }),
  ...checksOf('requests', parser, refused, {
    'no boundary is in a header': ['if (this.#delimiter.occursIn(bytes))', 'if (false)'],
  }),
  ...checksOf('requests', 'src/body/form/spooled-form.ts', ['test/multipart/replay.test.ts'], {
    'blanks after boundaries do not go on': ['[...edits, ...removals]', 'edits'],
    'edits do not overlap': [
      'if (start < position || end < start || end > size) {',
      'if (false) {',
    ],
  }),
  ...checksOf('requests', head, refused, {
    'a part has a disposition': [
      "if (disposition === undefined) throw invalidForm('A part of the form has no Content-Disposition.')",
      "if (disposition === undefined) return { name: 'a', filename: undefined, type: undefined }",
    ],
    'a part is form-data and has one name': [
      "if (value !== 'form-data' || name === undefined || name === '' || parameters.has('name*')) {",
      'if (name === undefined) {',
    ],
    'the number of headers': ['if (lines.length > maxHeaders)', 'if (false)'],
    'no header stands twice': ['if (headers.has(name))', 'if (false)'],
    ...removed({
      'parts are not encoded': "assertUnencoded(headers.get('content-transfer-encoding'))",
      'file names are UTF-8': "assertUtf8(charset || 'none', 'A file name')",
    }),
  }),
  ...checksOf('requests', 'src/body/form/boundary.ts', refused, {
    'no parameter stands twice': ['if (parameters.has(key))', 'if (false)'],
  }),
  ...checksOf('requests', 'src/body/form/boundary.ts', refused, {
    'a boundary as RFC 2046 has it': ['if (!validBoundary.test(boundary)) {', 'if (false) {'],
    'parts that are no form': ["if (value !== 'multipart/form-data') {", 'if (false) {'],
  }),
  ...checksOf('requests', watched, names, {
    'a watched part is named plainly': ['if (name !== normalized)', 'if (false)'],
    'a watched part is a text': ['if (filename !== undefined)', 'if (false)'],
    'no watched part stands twice': [
      'if (before.some((part) => part.name === name)) {',
      'if (false) {',
    ],
  }),
  ...checksOf('requests', reading, read, {
    'forms are not encoded': [
      "if (['', 'identity'].includes(encoding?.trim().toLowerCase() ?? '')) return",
      'if (encoding !== 1) return',
    ],
    'the length that a form tells': [
      'if (length > limits.formBytes) throw bodyTooLarge(limits.formBytes)',
      '',
    ],
    'the room for the length that it tells': [
      'if (length > maxMemoryBytes) spool.assertSpace(keyId, length)',
      '',
    ],
    'a form that stops': ['if (pausedAt === undefined && pace.isTooSlow(now)) {', 'if (false) {'],
    'a refused form leaves nothing': ['spooled[Symbol.dispose]()\n    throw error', 'throw error'],
  }),
  ...checksOf('requests', reading, ['test/multipart/slow-disk.test.ts'], {
    'a client waits for the disk': ['stream.pause()\n', '\n'],
  }),
  ...checksOf('requests', 'src/body/spool/spool.ts', ['test/spool/spooled.test.ts'], {
    'the budget of the spool': ["if (shortage === 'budget') throw spoolFull()", ''],
  }),
  ...checksOf('requests', 'src/body/spool/spool.ts', read, {
    'a form that would never fit': [
      'if (whole > this.#budget.limit) throw bodyTooLarge(this.#budget.limit)',
      '',
    ],
  }),
  ...checksOf('requests', 'src/body/spool/spooled-body.ts', read, {
    'a form that turns out never to fit': [
      'this.#budget.reserve(bytes, this.#reservedBytes + bytes)',
      'this.#budget.reserve(bytes, bytes)',
    ],
  }),
  ...checksOf('requests', 'src/gateway.ts', ['test/walks/forms/client-gone.test.ts'], {
    'what an exchange holds is given back': [
      'for (const disposable of exchange.progress.disposables) disposable[Symbol.dispose]()',
      'void exchange.progress.disposables',
    ],
  }),
]
