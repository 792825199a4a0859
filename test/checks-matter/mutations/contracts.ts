import { checksOf } from '../mutation.ts'

const codecs = ['test/testing/codecs.test.ts', 'test/testing/broken-codecs.test.ts']
const lossy = ['test/testing/broken-codecs.test.ts', 'test/testing/lossy-codecs.test.ts']
const framed = ['test/testing/framed-dialects.test.ts']
const ollama = [
  'test/examples/ollama/accounts.test.ts',
  'test/examples/ollama/clients.test.ts',
  'test/examples/ollama/codec.test.ts',
]
const contracts = 'src/testing/contracts'

/** What the contracts find, and the helpers that short codecs are made of. */
export const contractChecks = [
  ...checksOf('contracts', `${contracts}/cut-streams.ts`, framed, {
    'a cut stream is compared with a whole one': ['  await checkWhole(stage, sample)\n', ''],
    'a broken stream ends with an error': [
      'isReset || tail.length > 0',
      'isReset || tail.length >= 0',
    ],
    'no sign of a success follows': ['ok(isError(data),', 'ok(isError(data) || true,'],
    'the error of a cut stream has its code': [
      "equal(line?.['error_type'], 'upstream_stream_broken'",
      "ok('upstream_stream_broken'",
    ],
  }),
  ...checksOf('contracts', `${contracts}/life.ts`, ['test/testing/contracts.test.ts'], {
    'a failure of which no client learns is found': ['deepEqual(failures, [])', ''],
    'a probe has a result': ["typeof result.ok, 'boolean'", "'boolean', 'boolean'"],
  }),
  ...checksOf('contracts', `${contracts}/error-events.ts`, framed, {
    'an error event shows no secret': ['  stage.checkSecrets(text)\n', ''],
    'an error event has a type': ['ok(!untyped.has(type),', 'ok(true,'],
  }),
  ...checksOf('contracts', `${contracts}/error-status.ts`, framed, {
    'a codec reads the status of the observer': ['equal(error.status, status,', 'ok(error.status,'],
  }),
  ...checksOf('contracts', `${contracts}/codec.ts`, codecs, {
    'what is supported is written': ['notEqual(stage.write(asked)', 'ok(stage.write(asked)'],
    'what is written is supported': ['ok(!isIn(read, sample), `', 'ok(true, `'],
    'a supported feature is no loss': [
      "deepEqual(stage.dropped, [], 'what is supported is no loss')",
      '',
    ],
    'a request comes back': ['ok(isIn(read, sample), `asked', 'ok(true, `asked'],
    'a feature that is no one-way is found': [
      'equal(isNoted && isIn(read, sample), !isOneWay, found)',
      'if (!isOneWay) ok(isNoted && isIn(read, sample), found)',
    ],
  }),
  ...checksOf('contracts', `${contracts}/codec-endings.ts`, lossy, {
    'a broken stream has no finish': ["type === 'finish'), 'a broken", "type === 'x'), 'a broken"],
    'an ending is no ordinary one': ['lost.length > 0 || !isOrdinary(found)', 'found'],
    'a finish has its reason': [
      'if (read) equal(reasonOf(read), reasonOf(result))',
      '{ /* any */ }',
    ],
    'an error is framed as one': [
      'deepEqual(plainEvents(stage.framing, lastFrames), [],',
      'ok(lastFrames,',
    ],
  }),
  ...checksOf('contracts', `${contracts}/codec-replies.ts`, lossy, {
    'tokens of a cache are input': ['wrong.length === 0,', 'wrong.length >= 0,'],
    'reasoning comes back': ["lost.length > 0 || texts.join('') === 'Hm.'", 'texts'],
  }),
  ...checksOf('contracts', `${contracts}/codec-signatures.ts`, lossy, {
    'clients have a place for signatures': ['ok(own.some(signatureOf),', 'ok(own,'],
  }),
  ...checksOf('contracts', `${contracts}/codec-tools.ts`, lossy, {
    'accounts accept the name of a tool': ['match(name, accepted,', 'match(name, /./,'],
  }),
  ...checksOf('contracts', `${contracts}/part-ends.ts`, framed, {
    'ends of parts are written': [
      '!endsAlone(read) || endsAlone(again)',
      'endsAlone(again) || true',
    ],
  }),
  ...checksOf('contracts', 'src/kit/codec/reply-events.ts', [...codecs, ...ollama], {
    'a text ends before a call begins': ['    this.#close()\n    const index', '    const index'],
    'nothing follows the end': ['    this.#isOver = true\n    this.#emit({', '    this.#emit({'],
  }),
  ...checksOf('contracts', 'src/kit/codec/piece-encoder.ts', [...codecs, ...ollama], {
    'a call is written at its end': ["if (head?.type !== 'tool_call') return", 'return'],
    'the reason for the end is kept': ['this.#stop = event.stop', ''],
  }),
  ...checksOf('contracts', 'src/kit/codec/pieces.ts', [...codecs, ...ollama], {
    'a failed reply is an error': ['failures[0] ?? collector.result', 'collector.result'],
  }),
  ...checksOf('contracts', 'src/kit/codec/options.ts', [...codecs, ...ollama], {
    'what accounts may lack is noted': [
      "if ('feature' in note) notes.uses",
      'if (false) notes.uses',
    ],
  }),
  ...checksOf('contracts', 'src/kit/observe.ts', framed, {
    'a stream with an end of its own is reset': [
      'if (this.framing.hasEnd) return { bytes',
      'if (false) return { bytes',
    ],
  }),
]
