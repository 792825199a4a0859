import type { ServerResponse } from 'node:http'

import { type EndlessReply, endlessReplies } from '../walks/streams/endless-replies.ts'
import { form } from '../walks/streams/forms.ts'
import { largestFrame } from './replies.ts'

const MiB = 1024 * 1024

/** A stream of many frames, each of which is small. */
export interface HostileStream extends EndlessReply {
  /** The characters of text in a frame. */
  readonly size: number
  /** The longest text, after which the account ends its reply well. Absent: it has no end. */
  readonly most?: number
  /** Whether it goes to clients of its own dialect, too. */
  readonly isNativeToo?: boolean
  /** Part of a text, repeated to the size of a frame. */
  readonly unit?: string
}

/** A little less than a client of Responses may get: an eighth of `limits.replyBytes`. */
const mostText = 7.9 * MiB

const { 'a text': text, 'the arguments of a call': call } = endlessReplies
const brackets = { unit: '[],', size: 3_000 }

/** Chunks of two choices with usage, which is looked at in each, behind one with a long tier. */
const tier: HostileStream = {
  account: 'chat',
  beginning: [data({ choices: [choice(0)], service_tier: 'A'.repeat(largestFrame) })],
  frame: () =>
    data({ choices: [choice(0), choice(1)], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  size: 3_000,
  most: 6 * MiB,
  isNativeToo: true,
}

/** Streams of accounts, by name. */
export const hostileStreams: ReadonlyMap<string, HostileStream> = new Map<string, HostileStream>([
  ...Object.entries(endlessReplies).map(([name, reply]): [string, HostileStream] => [
    `${name} without an end`,
    { ...reply, size: 3_000 },
  ]),
  ['a long text', { ...text!, size: 3_000, most: mostText }],
  ['a long text of Cyrillic', { ...text!, size: 3_000, most: mostText / 2, unit: 'я' }],
  ['a long text of escapes', { ...text!, size: 3_000, most: mostText / 6, unit: '\u0001' }],
  ['a long tier before usages', tier],
  ['a call with many lists', { ...call!, ...brackets, most: mostText }],
])

function data(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk })}\n\n`
}

function choice(index: number) {
  return { index, delta: { content: 'a' }, finish_reason: null }
}

/** Streams an event of this many bytes with many texts, and the end. */
export function answerLargeEvent(response: ServerResponse, size: number): void {
  const texts = `[${`"${'a'.repeat(297)}",`.repeat(size / 300)}1]`
  const end = { index: 0, delta: {}, finish_reason: 'stop' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(data({ choices: [choice(0)], more: 0 }).replace('"more":0', `"more":${texts}`))
  response.end(`${data({ choices: [end] })}data: [DONE]\n\n`)
}

/** Writes a stream as fast as the gateway takes it. */
export function answerStream(response: ServerResponse, stream: HostileStream): void {
  const { account, beginning, size, most = Infinity, unit = 'a', frame } = stream
  const bytes = Buffer.from(frame(unit.repeat(size / unit.length)))
  let sent = 0
  const write = () => {
    while (!response.destroyed) {
      sent += size
      if (sent > most) return void response.end(form[account].ending.join(''))
      if (!response.write(bytes)) return void response.once('drain', write)
    }
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(beginning.join(''))
  write()
}
