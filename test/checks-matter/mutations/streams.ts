import { checksOf } from '../mutation.ts'

const broken = ['test/walks/streams/broken.test.ts']
const errorForms = ['test/errors/broken-streams.test.ts', ...broken]
const unfinished = ['test/walks/streams/unfinished.test.ts', ...broken]
const silence = ['test/walks/streams/keep-alives.test.ts']
const timeouts = ['test/upstream/timeouts.test.ts']
const plain = ['test/walks/streams/not-a-stream.test.ts']
const more = ['test/checks-matter/streams.test.ts']
const settled = ['test/walks/streams/outcomes.test.ts', 'test/third-party/usage-meter.test.ts']

const chatTests = 'test/codecs/chat'

const longLast = ['test/codecs/long-last-events.test.ts']

const relay = 'src/upstream/stream-relay.ts'
const responses = 'plugins/dialects/responses/observer.ts'
const chat = 'plugins/dialects/chat/observer.ts'
const ordinary = 'plugins/dialects/chat/ordinary-chunks.ts'
const messages = 'plugins/dialects/messages/observer.ts'
const generate = 'plugins/dialects/generate/observer.ts'
const reframed = 'src/upstream/reframed.ts'

const complete = "{ phase: 'terminal', outcome: { status: 'completed', fault: 'none' } }"

/** That nothing but a whole answer looks like one. */
export const streamChecks = [
  ...checksOf('streams', responses, errorForms, {
    'responses: an end without its last event': ['return endedEarly()', `return ${complete}`],
    'responses: the error is told flat': ['...flat, error: shown', 'error: shown'],
    'responses: the error is told nested': ['...flat, error: shown', '...flat'],
    'responses: the response is told failed': ['if (this.#snapshot) {', 'if (false) {'],
    'responses: a broken stream ends with [DONE]': [
      'isSse ? Buffer.concat([bytes, doneFrame]) : bytes',
      'isSse ? bytes : bytes',
    ],
    'responses: a broken stream ends in good order': [
      'this.failWith(events)',
      "this.failWith(events, 'reset')",
    ],
    'responses: numbers go on': ["if (typeof last === 'number') return last + 1", ''],
  }),
  ...checksOf('streams', responses, longLast, {
    'responses: numbers go on behind a long event': [
      'this.#numberOfLong === undefined ? 0 : this.#numberOfLong + 1',
      '0',
    ],
  }),
  ...checksOf('streams', 'plugins/dialects/shared/frame-member.ts', longLast, {
    'a long frame is not parsed again': ['if (frame.length > longFrame) {', 'if (false) {'],
    'a member of a long frame stands at its end or at its beginning': [
      '[frame.subarray(-edge), frame.subarray(0, edge), frame]',
      '[frame]',
    ],
    'a member of a long frame stands between texts': [', frame]', ']'],
  }),
  ...checksOf('streams', responses, ['test/walks/streams/response-ends.test.ts'], {
    'responses: [DONE] is no end': [
      "return { phase: json && type.startsWith('response.') ? 'output' : 'start' }",
      `return json ? { phase: 'output' } : ${complete}`,
    ],
    'responses: a response that failed early is asked of another account': [
      'if (!this.hasOutput || !reported.outcome) return reported',
      'if (!reported.outcome) return reported',
    ],
  }),
  ...checksOf('streams', chat, errorForms, {
    'chat: the error is told': [
      'this.failWith([{ data: errorEnvelope(error).body }])',
      'this.failWith([])',
    ],
    'chat: a broken stream ends in good order': [
      'errorEnvelope(error).body }])',
      "errorEnvelope(error).body }], 'reset')",
    ],
    'chat: a broken stream is not [DONE]': [
      'errorEnvelope(error).body }])',
      "errorEnvelope(error).body }, { data: '[DONE]' }])",
    ],
  }),
  ...checksOf('streams', chat, unfinished, {
    'chat: an end without [DONE] or a reason': [
      'return this.#streamed.areFinished(this.#choices) ? this.#complete() : endedEarly()',
      'return this.#complete()',
    ],
  }),
  ...checksOf('streams', chat, more, {
    'chat: every choice that was asked for has its end': [
      'this.#streamed.areFinished(this.#choices) ?',
      'this.#streamed.areFinished(1) ?',
    ],
    'chat: [DONE] alone is no end': [
      'this.#streamed.areFinished(1) ? this.#complete() : endedEarly()',
      'this.#complete()',
    ],
    'chat: with several choices every chunk is read': [
      'this.#choices === 1 && !this.#mayHaveAudio',
      '!this.#mayHaveAudio',
    ],
  }),
  ...checksOf('streams', ordinary, [`${chatTests}/ordinary-chunks.test.ts`], {
    'chat: a chunk that ends otherwise is read': [
      'at >= start && startsWith(frames, at, before)',
      'at >= start',
    ],
    'chat: what stands behind the padding is compared': [
      '|| !startsWith(frames, at, after)) return -1',
      ') return -1',
    ],
    'chat: padding of the first chunk is not compared': [
      'frame.subarray(frame.indexOf(quote, opened))',
      'frame.subarray(opened)',
    ],
    'chat: all known paddings are passed over': [
      "paddings = ['obfuscation', 'p']",
      "paddings = ['obfuscation']",
    ],
    'chat: padding may be long': [
      'before.length + after.length > maxLength',
      'frame.length - from > maxLength',
    ],
    'chat: padding is not compared': ['while (at > start && frames[at - 1] !== quote) at--', ''],
  }),

  ...checksOf('streams', messages, errorForms, {
    'messages: an end without message_stop': ['return endedEarly()', `return ${complete}`],
    'messages: a broken stream ends in good order': [
      'messagesError(error, this.exchange).body }])',
      "messagesError(error, this.exchange).body }], 'reset')",
    ],
    'messages: the error is told as an event': [
      "this.failWith([{ name: 'error', data",
      'this.failWith([{ data',
    ],
  }),
  ...checksOf('streams', messages, silence, {
    'messages: a keep-alive is a ping': ["formatFrame('ping', { type: 'ping' })", "': ping\\n\\n'"],
  }),

  ...checksOf('streams', generate, errorForms, {
    'generate: the error is told': [
      "this.failWith([{ data: generateError(error).body }], 'reset')",
      "this.failWith([], 'reset')",
    ],
    'generate: a broken stream is reset': [
      "generateError(error).body }], 'reset')",
      'generateError(error).body }])',
    ],
  }),
  ...checksOf('streams', 'src/kit/streamed-choices.ts', [...more, ...unfinished], {
    'every choice that began has its end': ['Math.max(least, this.#started.size)', 'least'],
  }),
  ...checksOf('streams', generate, more, {
    'generate: an end without any candidate': ['areFinished(1)', 'areFinished(0)'],
    'generate: with several candidates every chunk is read': ['this.#isInterleaved || ', ''],
  }),
  ...checksOf('streams', generate, unfinished, {
    'generate: an end without a reason': [
      '!this.#blocked && !this.#candidates.areFinished(1)',
      'false',
    ],
    'generate: a blocked prompt is an end': ['if (!this.#blocked && ', 'if ('],
  }),
  ...checksOf('streams', generate, silence, {
    'generate: a keep-alive is an empty chunk': [
      'Buffer.from(`data: ${emptyChunk}\\n\\n`)',
      "Buffer.from(': keep-alive\\n\\n')",
    ],
  }),
  ...checksOf(
    'streams',
    'plugins/dialects/generate/plain-frames.ts',
    ['test/walks/streams/framing.test.ts'],
    {
      'generate: frames in the form that every SDK reads': ['    if (!isPlain) return false', ''],
    },
  ),
  ...checksOf('streams', reframed, [...errorForms, ...unfinished], {
    'generate-array: only a whole array is closed': [
      "if (observation.phase !== 'terminal') return observation",
      '',
    ],
  }),
  ...checksOf('streams', reframed, broken, {
    'generate-array: a broken array stays open': [
      'bytes: this.#reframe(bytes, true), ending',
      "bytes: Buffer.concat([this.#reframe(bytes, true), Buffer.from(']')]), ending",
    ],
  }),
  ...checksOf('streams', 'src/kit/framing/sse.ts', silence, {
    'a keep-alive is a comment': ["': keep-alive\\n\\n'", "'event: keep-alive\\ndata: {}\\n\\n'"],
  }),
  ...checksOf('streams', 'src/kit/framing/json-array.ts', silence, {
    'generate-array: a keep-alive is white space': ["keepAlive: '\\n'", "keepAlive: '{},'"],
  }),

  ...checksOf('streams', 'src/upstream/client-stream.ts', silence, {
    'a silent stream is kept alive': ['if (!this.isWaiting) this.write(keepAlive())', ''],
  }),
  ...checksOf('streams', relay, silence, {
    'a refusal after the headers is told in the stream': [
      'if (this.isCommitted) this.#fail(failure.error, failure.outcome)\n    else ',
      '',
    ],
  }),
  ...checksOf('streams', 'src/upstream/attempt-handler.ts', timeouts, {
    'a stream that falls silent': ['else if (this.isIdle(now)) ', 'else if (false) '],
    'an upstream that does not begin': ['if (now - this.startedAt > firstByteMs) ', 'if (false) '],
    'an upstream that does not finish': [
      'if (now - this.startedAt - this.ownMs(now) > totalMs)',
      'if (false)',
    ],
  }),
  ...checksOf('streams', relay, ['test/walks/streams/left-open.test.ts'], {
    'a whole stream that is left open has an end': [
      'if (this.hasEndedSilently(now)) return',
      'if (false) return',
    ],
  }),
  ...checksOf(
    'streams',
    'src/upstream/observed-stream.ts',
    ['test/walks/streams/left-open.test.ts'],
    {
      'what may be more than a pause is waited for': [
        "completeness === 'certain' ? afterTerminalMs : this.timeouts.idleMs",
        'afterTerminalMs',
      ],
    },
  ),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', plain, {
    'a reply that is no JSON object': [
      'if (received && !isObject(json)) throw',
      'if (false) throw',
    ],
    'a reply that is empty': ['if (!this.#mayBeEmpty()) throw', 'if (false) throw'],
  }),
  ...checksOf('streams', relay, settled, {
    'the last event waits until the outcome is settled': [
      'if (settled) this.waitFor(settled, passLast)',
      'if (settled && !bytes) this.waitFor(settled, passLast)',
    ],
  }),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', settled, {
    'a reply waits until the outcome is settled': [
      'if (settled) void settled.then(() => this.resolve(reply))',
      'if (!reply) return',
    ],
  }),
  ...checksOf('streams', 'src/upstream/settle.ts', settled, {
    'each attempt has one outcome': ['if (attempt.outcome) return undefined', ''],
  }),
  ...checksOf('streams', 'src/hooks/notify.ts', settled, {
    'only critical plugins are waited for': ['if (plugin.critical) (', ';('],
    'critical plugins are waited for': ['if (plugin.critical) (', 'if (false) ('],
    'nobody is waited for without end': [
      'const timer = setTimeout(resolve, milliseconds)',
      'const timer = setTimeout(() => {}, milliseconds)',
    ],
  }),
  ...checksOf('streams', relay, ['test/errors/broken-streams.test.ts', ...broken], {
    'a reset reaches the client': [
      'else this.#client.reset(',
      'else this.#client.finish(); if (false) this.#client.reset(',
    ],
    'an error is told before the end': ['this.#client.write(tail.bytes)', ''],
  }),
  ...checksOf('streams', 'src/kit/observe.ts', ['test/errors/odd-error-events.test.ts'], {
    "a caller's mistake in any form is the caller's": [
      'faultOfStatus(status), error)',
      "'account', error)",
    ],
  }),
]
