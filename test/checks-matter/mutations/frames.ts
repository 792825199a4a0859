import { checksOf } from '../mutation.ts'

const odd = ['test/errors/odd-error-events.test.ts']
const frames = ['test/sse.test.ts']
const framing = ['test/walks/streams/framing.test.ts']
const broken = ['test/walks/streams/broken.test.ts']
const more = ['test/checks-matter/streams.test.ts']

const cuts = ['test/framing/cut.test.ts']
const others = ['test/framing/frames.test.ts']
const native = ['test/framing/native.test.ts']
const marked = ['test/framing/marked-errors.test.ts']
const lines = ['test/framing/many-lines.test.ts']
const large = ['test/framing/large-events.test.ts']
const output = ['test/walks/streams/large-output.test.ts']
const paced = ['test/translate/paced-events.test.ts', ...output]
const largeFrames = ['test/framing/large-frames.test.ts']
const waiting = ['test/walks/streams/large-events-waiting.test.ts']
const semaphore = ['test/semaphore.test.ts']
const largeWalks = ['test/walks/streams/large-events.test.ts']
const eventStream = 'src/kit/framing/event-stream.ts'

/** How the bytes of a stream are read. */
export const frameChecks = [
  ...checksOf('streams', eventStream, others, {
    'the checksum of a message': [
      'readUInt32BE(content)) throw wrongChecksum()',
      'readUInt32BE(content)) return',
    ],
    'the checksum of a prelude': [
      'if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) throw wrongChecksum()',
      '',
    ],
    'the name of an exception': ["headers.get(':exception-type') ?? ", ''],
  }),
  ...checksOf('streams', 'src/kit/framing/event-stream-headers.ts', native, {
    'the name of an event fits into a message': [
      "if (text.length > longestValue) throw brokenFrame('the name of an event is too long')",
      '',
    ],
  }),
  ...checksOf('streams', eventStream, native, {
    'a changed message has its own length and checksums': [
      'return changed === data ? frame : encodeMessage(headersOf(frame), changed)',
      'return Buffer.concat([frame.subarray(0, 12), headersOf(frame), changed])',
    ],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', marked, {
    'a native event that is marked as an error': ["isError ? 'error' : name", 'name'],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', odd, {
    'a native error event of no dialect': [
      'return error ? this.observedError(error) : found',
      'return found',
    ],
  }),
  ...checksOf('streams', 'src/kit/upstream-error.ts', odd, {
    'an error of any JSON type': [
      'if (error) return errorObject(',
      "if (typeof error === 'string') return errorObject(",
    ],
    'the first of several errors counts': [
      'while (Array.isArray(error)) error = error[0] as unknown',
      'if (Array.isArray(error)) return {}',
    ],
    'several errors': ['if (!isEmpty(errors)) return errors', ''],
    'an error behind other items of a list': ['isObject(item) && errorIn(item)', 'isObject(item)'],
  }),
  ...checksOf('streams', 'src/kit/upstream-error.ts', ['test/errors/odd-error-replies.test.ts'], {
    'an error without a value': ['if (!isEmpty(error)) return error', 'if (error) return error'],
    'several errors without a value': ['if (!isEmpty(errors))', 'if (errors)'],
    'a body called error': ["if (name === 'error' || ", 'if (false && '],
  }),
  ...checksOf(
    'streams',
    'src/kit/upstream-error.ts',
    ['test/outcomes/replies-with-errors.test.ts'],
    {
      'an error without a value and nothing else': [
        'return isOnlyError(body) ? error',
        'return false ? error',
      ],
    },
  ),
  ...checksOf('streams', 'src/kit/observe.ts', ['test/errors/odd-image-events.test.ts'], {
    'a message in an event that a dialect changes': [
      'const sent = found.bytes ? ',
      'const sent = !found ? ',
    ],
  }),
  ...checksOf(
    'streams',
    'plugins/dialects/images/observer.ts',
    ['test/errors/odd-image-events.test.ts'],
    {
      'an error is no image': [
        'return errorUnless(isImageBody, json, ',
        'return errorUnless(() => true, {}, ',
      ],
      'an event of an image stream that no dialect knows': [
        'return !json || isImageEvent(json, name)',
        'return true',
      ],
    },
  ),
  ...checksOf(
    'streams',
    'plugins/dialects/chat/observer.ts',
    ['test/outcomes/failed-choices.test.ts'],
    {
      'a native stream whose choice failed': ['this.#failedStatus ??= statusOfChoice(choice)', ''],
    },
  ),
  ...checksOf('streams', 'plugins/dialects/messages/observer.ts', odd, {
    'an event of a server on the way is no output': ['outputType.test(type) ? ', "type !== '' ? "],
  }),
  ...checksOf('streams', 'plugins/dialects/responses/codec/own-bodies.ts', odd, {
    'an event called response.error': [' && !isErrorType(type)', ''],
  }),
  ...checksOf('streams', 'plugins/dialects/generate/observer.ts', odd, {
    'candidates without one': [' || !opensObject(frame, at + content.length)', ''],
    'errors beside output': [`'"error'].map`, `'"error"'].map`],
  }),
  ...checksOf('streams', 'src/kit/own-bodies.ts', odd, {
    'an error that has only a type': [' || isErrorType(body.type) ? body', ' ? body'],
    'an unknown type of error': [' || isErrorType(type)) return false', ') return false'],
    'an unknown type with a code': ['isEmpty(code) && ', ''],
    'an event that is only a message': ['? error : bareErrorIn(json)', '? error : undefined'],
  }),
  ...checksOf('streams', 'src/kit/own-bodies.ts', ['test/errors/odd-error-replies.test.ts'], {
    'an object that is no reply': ['if (outcome.error || ', 'if (true || '],
    'a message beside an empty member of replies': [' && !hasMessage(body)', ''],
    'a status beside a text as content': [' && statusIn(body) === undefined', ''],
  }),
  ...checksOf(
    'streams',
    'plugins/dialects/responses/codec/own-bodies.ts',
    ['test/errors/odd-error-replies.test.ts'],
    {
      'an id is no mark of a response': ["['status'] : ownMembers", "['status'] : ['id']"],
    },
  ),
  ...checksOf('streams', 'src/kit/observe.ts', odd, {
    'an event that no dialect knows': ['!isFailure && this.isKnown(event) &&', '!isFailure &&'],
    'a message in an event of the dialect': ['(isLarge || !hasMessageIn(event))', 'true'],
  }),
  ...checksOf('streams', 'src/kit/upstream-error.ts', odd, {
    'the words of a dialect': ['upstream?.statusOf?.(error) ?? ', ''],
    'codes about the input': ['isCallerCode(code) ? 400', 'isCallerCode(code) ? 502'],
    'a status called so': ['?? statusOfValue(error.status) ', ''],
    'a reply of a server behind the account': ['|re(?:sponse|ply)', ''],
    'a limit of the bill': ["['billing_hard_limit_reached', 429],", ''],
  }),
  ...checksOf('streams', 'src/translate/marked-errors.ts', odd, {
    'a translated error event of no dialect': ["isError ? 'error' : name", "'-'"],
  }),
  ...checksOf('streams', 'src/translate/marked-errors.ts', marked, {
    'a translated event that is marked as an error': ["isError ? 'error' : name", 'name'],
    'output of an event that is marked as an error': [
      " || (this.#isMarked && type !== 'error')",
      '',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/json-array.ts', [...cuts, ...native], {
    'an array that stays open': ['if (!this.#scan.isOver) throw cutInFrame()', ''],
  }),
  ...checksOf('streams', 'src/kit/framing/json-array.ts', lines, {
    'the end of a long element is that of the first': [
      'this.#firstEnd ||= next',
      'this.#firstEnd = next',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/sse.ts', lines, {
    'the lines of an event are counted': ['else this.#lines.add(chunk, this.pendingBytes)', ''],
    'each event has its own lines': [
      'if (frames) this.#lines.reset()',
      'if (frames) return frames',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/line-limit.ts', lines, {
    'CR ends a line, too': ["this.#returns += countWithin(chunk, '\\r')", ''],
  }),
  ...checksOf('streams', 'src/kit/framing/one-line.ts', lines, {
    'lines within JSON are counted': ['checkLines(data)\n  if', 'if'],
    'CR within JSON is no line end for a client': ['  replaceAll(line, carriageReturn)\n', ''],
  }),
  ...checksOf('streams', 'src/kit/framing/element-scan.ts', others, {
    'an array of anything else': [
      "throw brokenFrame('the stream is no array of JSON objects')",
      'return false',
    ],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', native, {
    'the last event of an array waits for its end': [
      '|| !this.framing.hasEnd) return found',
      ') return found',
    ],
  }),
  ...checksOf('streams', 'src/translate/encoded-reply.ts', cuts, {
    'a translated array waits for its end': ['if (this.#usage && !state.isEnded)', 'if (false)'],
  }),
  ...checksOf(
    'streams',
    'src/upstream/reply-framing.ts',
    ['test/walks/streams/not-a-stream.test.ts'],
    {
      'a stream of another type': [
        'if (framing.mediaTypes.includes(type)) return framing',
        'if (true) return framing',
      ],
    },
  ),
  ...checksOf('streams', 'src/lib/sse.ts', frames, {
    'a blank line that two chunks share': [
      'lastBoundary(chunk) || this.#seam(chunk)',
      'lastBoundary(chunk)',
    ],
    'a blank line that many chunks share': [
      'chunk.length < 2 ? Buffer.concat([this.#tail, chunk]) : chunk',
      'chunk',
    ],
    'a blank line of CR LF': ['crLf < 0 ? 0 : crLf + 3', '0'],
    'a frame of CR LF': ['frames[at + 1] === carriageReturn ? at + 2 : at + 1', 'at + 1'],
  }),
  ...checksOf('streams', 'src/lib/sse-lines.ts', frames, {
    'lines that end with CR': [
      'return Math.min(this.#nextFeed, this.#nextReturn)',
      'return this.#nextFeed',
    ],
    'data in several lines': ['data === undefined ? ofData : `${data}\\n${ofData}`', 'ofData'],
    'no space after the colon': [
      'frame.charCodeAt(behind + 1) === space ? behind + 2 : behind + 1',
      'behind + 2',
    ],
  }),
  ...checksOf('streams', 'src/upstream/observed-stream.ts', framing, {
    'a last frame without its blank line': ['this.#behindTerminal(() => this.#readLast())', ''],
  }),
  ...checksOf('streams', 'src/lib/sse.ts', framing, {
    'a last frame gets its blank line': [
      'undefined : this.#take(end)',
      'undefined : this.#take(nothing)',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/sse.ts', more, {
    'half a frame where the last is not said': [
      'if (json && !isWhole(json)) throw cutInFrame()',
      '',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/sse.ts', largeFrames, {
    'half a large frame at the end': [
      'if (json && !(await isWholeInTurns(json, turns))) throw cutInFrame()',
      '',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/ndjson.ts', largeFrames, {
    'half a large line at the end': [
      'if (line && !(await isWholeInTurns(trimmed(line), turns))) throw cutInFrame()',
      '',
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/sse-data.ts', ['test/framing/undecoded.test.ts'], {
    'lines of other fields stay beside changed data': [
      'if (lineStart > copied) pieces.push(frame.subarray(copied, lineStart))',
      '',
    ],
  }),
  ...checksOf('streams', 'src/kit/large-events.ts', ['test/walks/streams/line-ends.test.ts'], {
    'the mark of the end in a large frame': [
      "data === undefined || data === '[DONE]'",
      'data === undefined',
    ],
  }),
  ...checksOf('streams', 'src/upstream/stream-relay.ts', broken, {
    'a stream is cut': ['else this.#fail(error)\n  }', 'else this.finish()\n  }'],
  }),
  ...checksOf(
    'streams',
    'src/upstream/frame-reader.ts',
    ['test/walks/streams/large-frame.test.ts'],
    {
      'a frame that never ends': ['if (!frames && pendingBytes > this.#most) {', 'if (false) {'],
    },
  ),
  ...checksOf('streams', 'src/kit/observe.ts', broken, {
    'an event that is not JSON': [
      'if (json instanceof GatewayError) return failedObservation(json)',
      'if (json instanceof GatewayError) return startPhase',
    ],
    'an event that does not look whole': ['!!this.framing.endsWhole?.(frames, end) && ', ''],
    'nothing after an error passes': [
      'redacted ? Buffer.concat(redacted) : frames.subarray(0, passed)',
      'frames',
    ],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', more, {
    'what came before an error passes': [
      'redacted ? Buffer.concat(redacted) : frames.subarray(0, passed)',
      'undefined',
    ],
  }),
  ...checksOf('streams', 'src/kit/event-json.ts', more, {
    'an event that is no object': [
      "return typeof value === 'object' && value !== null ?",
      'return value !== undefined ?',
    ],
  }),
  ...checksOf('streams', 'src/kit/large-events.ts', large, {
    'large events are parsed in turns': [
      'await parseInPieces(bytes, measure.ends, turns)',
      'JSON.parse(bytes.toString())',
    ],
    'a large event has limits': [
      'if (await measure.measureInTurns(turns)) return',
      'if (false) return',
    ],
    'one large event at a time': ['using _slot = await oneAtATime.take(signal, keyId)', ''],
    'keys take turns with large events': ['.take(signal, keyId)', '.take(signal)'],
    'a stream that is over is not parsed on': ['owner: keyId, signal', 'owner: keyId'],
    'a frame that passes unread is not parsed': [' && !passesUnread(start, end)', ''],
  }),
  ...checksOf('streams', 'src/upstream/attempt-handler.ts', waiting, {
    'an account resumes when no cause of its pause is left': [
      'if (this.#pauses === 0) this',
      'this',
    ],
  }),
  ...checksOf('streams', 'src/upstream/frame-reader.ts', waiting, {
    'an account is not late by large events of others': ['this.#preparingSince ?? now', 'now'],
  }),
  ...checksOf('streams', 'src/lib/semaphore.ts', semaphore, {
    'an owner has its share of slots': [' && (taken.get(owner) ?? 0) < share', ''],
  }),
  ...checksOf('streams', 'src/lib/turns.ts', semaphore, {
    'owners take turns of the event loop': [
      'waiting.add(owner, resolve)',
      "waiting.add('', resolve)",
    ],
    'work whose signal aborts ends': ['this.#signal?.throwIfAborted()', ''],
  }),
  ...checksOf('streams', 'src/remote/fetch.ts', ['test/remote/times.test.ts'], {
    'a key has its share of fetches': ['take(patience.signal, keyId)', 'take(patience.signal)'],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', waiting, {
    'a large event is read once': ['this.#large = undefined', ''],
  }),
  ...checksOf('streams', 'src/upstream/observed-stream.ts', waiting, {
    'a reset comes behind a large event': [
      'if (this.isSettling) this.#interruption',
      'if (false) this.#interruption',
    ],
  }),
  ...checksOf('streams', 'src/upstream/observed-stream.ts', largeWalks, {
    'no memory is kept for a large event that has been read': ['if (frames) reader.release()', ''],
  }),
  ...checksOf('streams', 'src/upstream/observed-stream.ts', output, {
    'what waits for later turns waits for a slow client': [
      'this.#isFull ? later.then((passed) => this.#whenReady(passed)) : later',
      'later',
    ],
  }),
  ...checksOf('streams', 'src/translate/paced-events.ts', paced, {
    'what is too much for a turn is held': ['work <= this.#left || !this.#mayHold()', 'true'],
    'a turn ends with its work': ['if (work > this.#left && this.#left < workInTurn) break', ''],
    'a refusal is not divided': [' && !this.#refusals.has(index)', ''],
    'probabilities stay with their text': ['logprobs === undefined && ', ''],
    'what was copied is not held': [' || !this.#mayHold()', ''],
    'a new turn can do its own work': ['if (this.isEmpty) this.#left = workInTurn', ''],
    'nothing overtakes what is held': ['if (!this.isEmpty) this.#left = 0', ''],
  }),
  ...checksOf('streams', 'src/translate/observer.ts', output, {
    'what came whole passes before a failure': [
      'if (this.#fault && !this.isWaiting) return',
      'if (this.#fault) return',
    ],
  }),
  ...checksOf('streams', 'src/translate/read-events.ts', large, {
    'a large event stands behind those before it': [
      'readRun(frames.subarray(start, at), sink, framing)',
      '',
    ],
  }),
  ...checksOf('streams', 'src/upstream/renaming-observer.ts', largeWalks, {
    'a large event names the model as asked': ['this.#renamedFrames.take(frames)', 'frames'],
  }),
  ...checksOf('streams', 'src/lib/json/read.ts', largeWalks, {
    'a long event that is cut off': [
      'return measure.measure() !== undefined || measure.isClosed',
      'return true',
    ],
  }),
]
