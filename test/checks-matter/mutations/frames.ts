import { checksOf } from '../mutation.ts'

const frames = ['test/sse.test.ts']
const framing = ['test/walks/streams/framing.test.ts']
const broken = ['test/walks/streams/broken.test.ts']
const more = ['test/checks-matter/streams.test.ts']

/** How the bytes of a stream are read. */
export const frameChecks = [
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
    'lines that end with CR LF': ['split(/\\r\\n|\\n|\\r/)', "split('\\n')"],
    'data in several lines': ['data === undefined ? value : `${data}\\n${value}`', 'value'],
    'no space after the colon': [
      "line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)",
      'line.slice(colon + 2)',
    ],
  }),
  ...checksOf('streams', 'src/upstream/stream-relay.ts', framing, {
    'a last frame without its blank line': ['if (rest) this.#observeLast(rest)', ''],
  }),
  ...checksOf('streams', 'src/lib/sse.ts', framing, {
    'a last frame gets its blank line': ['Buffer.concat([rest, blankLf])', 'rest'],
  }),
  ...checksOf('streams', 'src/upstream/stream-relay.ts', more, {
    'half a frame where the last is not said': [
      "else if (!this.#hasTerminal) throw streamBroken('in the middle of a frame')",
      '',
    ],
  }),
  ...checksOf('streams', 'src/lib/sse.ts', more, {
    'half a frame after the last': ['return isComplete ? ', 'return true ? '],
  }),
  ...checksOf('streams', 'src/upstream/stream-relay.ts', broken, {
    'a stream is cut': ['else this.#fail(error)\n  }', 'else this.#finish()\n  }'],
  }),
  ...checksOf(
    'streams',
    'src/upstream/stream-relay.ts',
    ['test/walks/streams/large-frame.test.ts'],
    {
      'a frame that never ends': [
        'else if (pendingBytes > this.environment.limits.frameBytes) {',
        'else if (false) {',
      ],
    },
  ),
  ...checksOf('streams', 'src/kit/observe.ts', broken, {
    'an event that is not JSON': [
      'if (json instanceof GatewayError) return failedObservation(json)',
      'if (json instanceof GatewayError) return startPhase',
    ],
    'an event that does not look whole': ['!endsWhole(frames, end) || ', ''],
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
    'an event that is no object': [
      "if (typeof json === 'object' && json !== null) return",
      'if (json !== undefined) return',
    ],
  }),
]
