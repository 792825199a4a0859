import { checksOf } from '../mutation.ts'

const inBand = ['test/walks/losses/errors-in-band.test.ts']
const refusals = ['test/walks/losses/errors.test.ts']
const overflow = ['test/walks/losses/context-length.test.ts']
const broken = ['test/translate/broken-replies.test.ts']
const more = ['test/checks-matter/translation.test.ts']
const streams = ['test/checks-matter/translated-streams.test.ts']
const stops = [
  'test/translate/stop-sequences.test.ts',
  'test/walks/losses/stopped-logprobs.test.ts',
]

const observer = 'src/translate/observer.ts'
const encoded = 'src/translate/encoded-reply.ts'
const outcome = 'src/translate/outcome.ts'
const refusal = 'src/translate/refusal.ts'
const sequences = 'src/translate/stop-sequences.ts'

const known = ['test/translate/repeated-frames.test.ts']
const sharedBuffer = ['test/translate/shared-buffer.test.ts']
const longTexts = ['test/translate/long-texts.test.ts']
const chunks = ['test/walks/streams/translated-chunks.test.ts']
const templates = ['test/translate/text-template.test.ts']
const bytes = [...known, 'test/translate/frame-writer.test.ts']

const codecs = (dialect: string, file: string) => `plugins/dialects/${dialect}/codec/${file}.ts`

/** A reply is whole or it is none, in the words of whichever dialect. */
export const translatedChecks = [
  ...checksOf('translation', 'src/translate/fast-path/repeated-frames.ts', known, {
    'an empty text is nothing': ['if (end <= start) return at', 'if (end < 0) return at'],
    'what comes before an answer disappoints nobody': [
      '    if (!delta) return\n    this.#unmatched++\n',
      '    this.#unmatched++\n    if (!delta) return\n',
    ],
    'a frame that nobody looked at is not known': ['    this.#template = undefined\n', ''],
    'each run is loaded': ['if (at === 0) this.#isLoaded = false', ''],
    'the last totals are read': [
      'if (this.#isCumulative) this.#setLast',
      'if (false) this.#setLast',
    ],
    'of totals only the last are read': ['    last.frames = frames\n    last.start = start\n', ''],
    'a frame that words do not tell from others is not known': [" || frame.includes('\\0')", ''],
    'totals are read once': [
      '    this.#last = undefined\n    return eventIn',
      '    return eventIn',
    ],
  }),
  ...checksOf('translation', 'src/translate/fast-path/decode-text.ts', known, {
    'a string is unescaped': ["text.includes('\\\\') ?", 'false ?'],
  }),
  ...checksOf('translation', 'src/translate/fast-path/text-template.ts', known, {
    'a text that stands elsewhere as well is not taken for it': [
      'return isText ? ',
      'return true ? ',
    ],
  }),
  ...checksOf('translation', 'src/translate/fast-path/text-template.ts', templates, {
    'a frame does not end behind the run': ['end > inputBuffer.length || ', ''],
    'a string has its quotes': ['if (bytes[from - 1] === quote) return plainEnd(bytes, from)', ''],
  }),
  ...checksOf('translation', 'src/translate/fast-path/word-compare.ts', bytes.concat(templates), {
    'the bytes behind the last whole word are compared': [
      'return at === end || view.getFloat64(end - wordBytes, true) === words[next]',
      'return true',
    ],
    'the bytes of a short text are compared': [
      'if (bytes[at] !== words[next++]) return false',
      'next++',
    ],
    'whole words are compared': [
      'if (view.getFloat64(at, true) !== words[next++]) return false',
      'next++',
    ],
    'the bytes behind the last whole word are written': [
      '  if (at < end) view.setFloat64',
      '  if (false) view.setFloat64',
    ],
  }),
  ...checksOf('translation', 'src/translate/fast-path/input-buffer.ts', templates, {
    'a long run is read by a parser': ['    if (frames.length > maxBytes) return false\n', ''],
  }),
  ...checksOf('translation', 'src/translate/fast-path/json-bytes.ts', bytes, {
    'noise that is escaped is read by a parser': ['byte === backslash || ', ''],
    'what cannot stand in a string is none': ['    if (byte < space) return -1\n', ''],
    'an escape that is not needed is not copied': [
      'escaped[bytes[at + 1] as number] === 1 ? 2 : 0',
      '2',
    ],
    'half a character is none': ['    if ((byte & 0xc0) !== 0x80) return 0\n', ''],
    'a copy is no longer than its room': ['from <= last;', 'from >= 0;'],
    'a character has the fewest bytes': ['code >= (minCodes[size] as number) && ', ''],
    'there is a last character': ['code <= maxCode && ', ''],
    'half of a pair is no character': [' && !isSurrogate', ''],
    'a character has four bytes at most': [' || lead > maxLead', ''],
  }),
  ...checksOf('translation', 'src/translate/fast-path/text-copier.ts', known, {
    'what was copied is told before anything else': [
      '  stop(): void {\n    this.#replay()\n',
      '  stop(): void {\n',
    ],
    'what was copied is told in its order': [
      '    this.#replay()\n    this.#writer.watch()',
      '    this.#writer.watch()',
    ],
    'what waits to be told is told when there is no room': ['    else this.#replay()\n', ''],
    'what was written is not written again': [
      'this.#writer.isMuted = true',
      'this.#writer.isMuted = false',
    ],
    'another frame takes no short way': [
      '    this.#replay()\n    this.#frame = undefined\n',
      '    this.#replay()\n',
    ],
    'a text that could not be copied takes the long way': [' && this.#copiedTo === end', ''],
  }),
  ...checksOf('translation', 'src/translate/fast-path/text-copier.ts', longTexts, {
    'a text that is longer than what may wait to be told takes the long way': [
      'frame, frames, start, maxPending)',
      'frame, frames, start, 1 << 14)',
    ],
  }),
  ...checksOf('translation', 'src/translate/fast-path/shared-buffer.ts', sharedBuffer, {
    'nobody takes the frames of other streams along': [
      '  markAsUntransferable(bytes.buffer)\n',
      '',
    ],
  }),
  ...checksOf('translation', 'src/translate/fast-path/frame-buffer.ts', bytes, {
    'what was begun moves to where there is room': [
      '    if (length > 0) this.memory',
      '    if (length < 0) this.memory',
    ],
    'what was taken is not written over': ['this.#release(this.end)', 'this.#release(this.#start)'],
    'a chunk has room before it': [
      'const start = sharedBuffer.at + beforeContent',
      'const start = sharedBuffer.at',
    ],
    'a chunk has room behind it': ['this.end + more + behindContent >', 'this.end + more >'],
  }),
  ...checksOf('translation', 'src/translate/fast-path/frame-writer.ts', bytes, {
    'a copied frame is numbered': ['if (frame.isNumbered) this.count++', ''],
  }),
  ...checksOf('translation', codecs('chat', 'text-delta'), known, {
    'a chunk that repeats says nothing but its text': ['isAlone && ', ''],
    'a chunk with its tokens does not repeat': ['choice?.logprobs || ', ''],
  }),
  ...checksOf('translation', codecs('chat', 'decode-reply/reply-reader'), known, {
    'what repeats is the last chunk': ['    this.#latest = undefined\n', ''],
  }),
  ...checksOf('translation', codecs('responses', 'decode-reply/deltas'), known, {
    'an event with its tokens does not repeat': ['isAlone && ', ''],
    'what is not known does not repeat': ['deltas.has(String(type)) && ', ''],
  }),
  ...checksOf('translation', codecs('generate', 'text-delta'), known, {
    'a chunk of two texts does not repeat': ['more.length > 0', 'false'],
    'a chunk of two candidates does not repeat': ['others.length > 0', 'false'],
    'a chunk that tells an end does not repeat': ['candidate.finishReason || ', ''],
    'a signature does not repeat': ['part.thoughtSignature !== undefined', 'false'],
  }),
  ...checksOf('translation', encoded, [...streams, ...inBand, ...broken], {
    'an error inside the stream is an error': ['if (this.#error) {\n', 'if (false) {\n'],
    'what cannot be read is no success': ['...failedObservation(error),', "phase: 'output',"],
    'an account may fail unseen before its first output': [
      "phase: this.#hasOutput ? 'output' : 'start'",
      "phase: 'output'",
    ],
  }),
  ...checksOf('translation', observer, [...streams, ...inBand, ...broken], {
    'an end without its last event is no success': [
      'isKnown ? this.#observed() : endedEarly()',
      "isKnown ? this.#observed() : { phase: 'terminal', outcome: { status: 'completed', fault: 'none' } }",
    ],
  }),
  ...checksOf('translation', 'src/translate/read-events.ts', broken, {
    'what follows the end takes nothing back': [
      'if (data === undefined || sink.isOver) return',
      'if (data === undefined) return',
    ],
  }),
  ...checksOf('translation', encoded, [...streams, ...broken], {
    'the last frames of a stream are told as such': [
      'if (this.#hasOutput && state.mayFollow && !this.#output.isEmpty) {',
      'if (this.#hasOutput && !this.#output.isEmpty) {',
    ],
  }),
  ...checksOf('translation', encoded, chunks, {
    'nothing makes no chunk, which would end the body': [' && !this.#output.isEmpty', ''],
  }),
  ...checksOf('translation', outcome, more, {
    'an answer that was cut is not complete': [
      "status: isCut ? 'incomplete' : 'completed'",
      "status: 'completed'",
    ],
  }),
  ...checksOf('translation', outcome, [...streams, ...overflow], {
    'what is the client’s fault is asked of no other account': [
      'faultOfStatus(error.status)',
      "'account'",
    ],
    'the account’s secret is taken out of what it tells in a reply': [
      'const redacted = redact(message, upstream)',
      'const redacted = message',
    ],
  }),
  ...checksOf('translation', refusal, refusals, {
    'a refusal has no body of another dialect': ['if (!upstream) return', 'if (upstream) return'],
    'a client learns from a refusal how long to wait': ['    headers: error.headers,\n', ''],
  }),
  ...checksOf('translation', refusal, overflow, {
    'an input that is too long is told in the client’s words': [
      'account.exceedsContext?.({ status, json }) ?? false',
      'false',
    ],
  }),
  ...checksOf('translation', 'src/translate/translated-request.ts', more, {
    'what this account cannot be asked for another one may': [
      "throw new Declined('translation', error.message, { field: error.param ?? '' })",
      'throw error',
    ],
  }),
  ...checksOf('translation', 'src/translate/translation.ts', stops, {
    'stop sequences hold where an account takes none': [
      "stop.length > 0 && lackOf(support, 'stop') ?",
      'false ?',
    ],
  }),
  ...checksOf('translation', sequences, stops, {
    'a stop sequence may come in pieces': [
      'buffered.length - Math.max(0, ...matched)',
      'buffered.length',
    ],
    'nothing is said behind a stop sequence': [
      "if ('index' in event && this.#isCut(event.index)) return",
      '',
    ],
  }),
  ...checksOf('translation', 'src/lib/wanted-text.ts', stops, {
    'a stop sequence may begin inside its own beginning': ['? border + 1 : 0', '? 1 : 0'],
  }),
  ...checksOf('translation', 'src/translate/buffered-text.ts', stops, {
    'tokens that are longer than their text keep their order': ['Math.min(at, last)', 'at'],
  }),
]
