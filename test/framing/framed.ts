import { EventStreamCodec } from '@smithy/eventstream-codec'

import { messagesDialect } from '../../plugins/dialects/messages/index.ts'
import type { Framing } from '../../src/contract/framing.ts'
import {
  defineDialect,
  definePlugin,
  eventStream,
  type GatewayPlugin,
  jsonArray,
  ndjson,
  sse,
} from '../../src/dialect-kit/index.ts'
import { reframed } from './reframed.ts'

/** An event of an account. */
export interface Event {
  readonly type: string
}

/** A framing, and the bytes that a server in the wild sends for events. */
export interface Framed {
  readonly name: string
  readonly framing: Framing
  /** One buffer for each event, and one for the end of the stream where it has one. */
  write(events: readonly Event[]): Buffer[]
  /** Bytes between two events that are no frame. */
  readonly broken: Buffer
  /** The bytes at the end of a stream without which it is whole all the same. */
  readonly spare: number
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)

/** A message as the official library of AWS writes it. */
export function awsMessage(type: string, payload: unknown, kind = 'event'): Buffer {
  const headers = {
    [`:${kind}-type`]: { type: 'string', value: type },
    ':content-type': { type: 'string', value: 'application/json' },
    ':message-type': { type: 'string', value: kind },
  } as const
  return Buffer.from(codec.encode({ headers, body: Buffer.from(JSON.stringify(payload)) }))
}

/** Reads messages as the official library does. Throws for wrong checksums. */
export function readAwsMessage(message: Buffer) {
  const { headers, body } = codec.decode(message)
  return { headers, data: Buffer.from(body).toString() }
}

export const framings: readonly Framed[] = [
  {
    name: 'server-sent events',
    framing: sse,
    write: (events) =>
      events.map((event) =>
        Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      ),
    broken: Buffer.from('data: {"type":\n\n'),
    spare: 2,
  },
  {
    name: 'lines',
    framing: ndjson,
    write: (events) => events.map((event) => Buffer.from(`${JSON.stringify(event)}\n`)),
    broken: Buffer.from('{"type":\n'),
    spare: 1,
  },
  {
    name: 'an array',
    framing: jsonArray,
    write: (events) => [
      ...events.map((event, at) => Buffer.from((at === 0 ? '[' : ',\n') + JSON.stringify(event))),
      Buffer.from(']'),
    ],
    broken: Buffer.from(',7'),
    spare: 0,
  },
  {
    name: 'AWS messages',
    framing: eventStream,
    write: (events) => events.map((event) => awsMessage(event.type, event)),
    broken: Buffer.from('no message at all'),
    spare: 0,
  },
]

/**
 * The Messages API in another framing, for accounts of the provider `framed` and for clients at `/framed/messages`,
 * whose streams may be framed as `toClients`.
 */
export function framedDialect(framing: Framing, toClients = framing): GatewayPlugin {
  const messages = messagesDialect()
  const create = messages.operations.find(({ id }) => id === 'messages.create')!
  const { upstream, generate } = messages
  return definePlugin({
    name: 'framed',
    dialects: [
      defineDialect({
        ...messages,
        id: 'framed',
        framing: toClients,
        generate: { ...generate!, codec: reframed(generate!.codec, toClients) },
        upstream: { ...upstream!, framing, providers: { framed: {} } },
        operations: [{ ...create, id: 'framed.create', paths: ['/framed/messages'] }],
      }),
    ],
  })
}

/** A whole stream: its last event completes it. */
export const events: readonly Event[] = [
  { type: 'message_start', message: { id: 'm', model: 'm', usage: { input_tokens: 3 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüezi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
] as readonly Event[]
