import { eventStream } from '../../src/kit/framing/event-stream.ts'
import { sse } from '../../src/kit/framing/sse.ts'
import { events, framings } from '../framing/framed.ts'
import { type Form, form } from '../walks/streams/forms.ts'
import { largestFrame } from './replies.ts'

/** A stream with one frame of the largest size and of an odd shape. */
export interface HostileFrame {
  /** The dialect of the account; `framed`: see `framed-plugin.ts`. */
  readonly account: 'chat' | 'generate' | 'framed'
  /** The client's form. */
  readonly client: Form
  /** The framings of the account and of its client, for `framed`. */
  readonly framings?: { readonly from: string; readonly to: string }
  readonly isRenamed: boolean
  readonly contentType: string
  readonly stream: () => Buffer
}

/** A little less than the most lines of one event. */
const mostLines = 19_900
/** A little less than the largest event on many lines, in bytes. */
const largestOnLines = 7.9 * 1024 * 1024
/** A little less than the longest payload of an AWS message, in bytes. */
const largestMessage = 23.9 * 1024 * 1024
/** A little less than the most bytes of an event outside of strings. */
const mostBare = 7.9 * 1024 * 1024

/** An event with a large member, in pieces between which line ends may stand. `whole`: the size of a single piece. */
function inPieces(event: string, count: number, unit = 'a', whole = largestFrame): string[] {
  const bytes = count === 1 ? whole : largestOnLines
  const size = Math.floor((bytes / count - 16) / Buffer.byteLength(unit))
  const text = `"${unit.repeat(size)}",`
  return [`${event.slice(0, -1)},"more":[`, ...Array<string>(count).fill(text), '1]}']
}

function framed(pieces: readonly string[], end: string): string {
  return `data: ${pieces.join(`${end}data: `)}${end}`
}

/** Server-sent events without their blank line. */
const shapes: Readonly<Record<string, (event: string) => string>> = {
  'on one line': (event) => framed([inPieces(event, 1).join('')], '\n'),
  'of kanji on one line': (event) => framed([inPieces(event, 1, '漢').join('')], '\n'),
  'of numbers': (event) =>
    framed(
      [`${event.slice(0, -1)},"more":[${'-0.12345678901234567,'.repeat(mostBare / 21)}1]}`],
      '\n',
    ),
  'on many lines': (event) => framed(inPieces(event, mostLines), '\n'),
  'of Cyrillic on many lines': (event) => framed(inPieces(event, mostLines, 'я'), '\n'),
  'on lines with CR LF': (event) => framed(inPieces(event, mostLines), '\r\n'),
  'on lines with CR': (event) => framed(inPieces(event, mostLines), '\r'),
  'behind many comments': (event) =>
    `: ${'a'.repeat(largestOnLines / mostLines - 8)}\n`.repeat(mostLines) + framed([event], '\n'),
  'with many empty lines': (event) =>
    'data:\n'.repeat(mostLines - 10) + framed(inPieces(event, 2), '\n'),
  'with many blanks': (event) =>
    framed([`${event.slice(0, -1)}${' '.repeat(mostBare - 1_000)}}`], '\n'),
}

const last = { chat: form.chat.ending[0]!, generate: form.generate.ending[0]! }

/** Clients of an account; those of its own dialect also where the name of the model changes. */
const clients = {
  chat: [{ client: form.chat, isRenamed: true }],
  generate: [
    { client: form.generate, isRenamed: false },
    { client: form['generate-array'], isRenamed: false },
    { client: form['generate-array'], isRenamed: true },
    { client: form.chat, isRenamed: false },
  ],
} as const

function* serverSent(): Generator<[string, HostileFrame]> {
  for (const account of ['chat', 'generate'] as const) {
    const event = last[account].trimEnd().slice('data: '.length)
    for (const { client, isRenamed } of clients[account]) {
      for (const [shape, frame] of Object.entries(shapes)) {
        for (const end of ['\n', '']) {
          const name = `${client.name} from ${account}${isRenamed ? ', renamed' : ''}, a frame ${shape}${end ? '' : ' without its end'}`
          const stream = () => Buffer.from([...form[account].output, frame(event), end].join(''))
          yield [name, { account, client, isRenamed, contentType: 'text/event-stream', stream }]
        }
      }
    }
  }
}

/** Line ends that no framing of these needs. `largest`: the most bytes of an event. */
const jsonShapes: Readonly<Record<string, (event: string, largest: number) => string>> = {
  'of one text': (event, largest) => inPieces(event, 1, 'a', largest).join(''),
  'of many lines': (event) => inPieces(event, mostLines).join('\r'),
  'of blanks': (event) => `${event.slice(0, -1)}${' '.repeat(mostBare - 1_000)}}`,
}

function* otherFramings(): Generator<[string, HostileFrame]> {
  for (const from of framings) {
    for (const to of framings) {
      for (const [shape, json] of Object.entries(jsonShapes)) {
        const [start, ...rest] = events
        const lineEnd = from.framing === sse ? ' ' : '\r'
        const hasMessages = from.framing === eventStream || to.framing === eventStream
        const largest = hasMessages ? largestMessage : largestFrame
        const large = () => json(JSON.stringify(start), largest).replaceAll('\r', lineEnd)
        const encoder = from.framing.encode()
        const frames = () => [
          encoder.frame({ name: start!.type, data: large() }),
          ...rest.map((event) => encoder.frame({ name: event.type, data: JSON.stringify(event) })),
          encoder.end(),
        ]
        yield [
          `framed, ${from.name} as ${to.name}, an event ${shape}`,
          {
            account: 'framed',
            client: { ...form.messages, path: () => '/framed/messages' },
            framings: { from: from.name, to: to.name },
            isRenamed: true,
            contentType: from.framing.mediaTypes[0],
            stream: () => Buffer.concat(frames().map((frame) => Buffer.from(frame as Buffer))),
          },
        ]
      }
    }
  }
}

/** Streams with a hostile frame, by name. */
export const hostileFrames: ReadonlyMap<string, HostileFrame> = new Map([
  ...serverSent(),
  ...otherFramings(),
])
