import { z } from 'zod'

import { longestMessage } from '../../stores/bus.ts'
import { liveEvent, liveTopics } from '../live/events.ts'

/** The form of the id of a process. */
export const processId = z.string().regex(/^[\w.-]{1,64}$/)

const sender = {
  from: processId,
  /** The number of events, and of numbers of left out ones, that it has sent, this one included. */
  sent: z.number().int().nonnegative(),
}

const commandId = z.string().regex(/^[\da-f-]{36}$/)

const busMessage = z.union([
  z.strictObject({ ...sender, event: liveEvent }),
  /** The topics that subscribers of the sender want. */
  z.strictObject({ ...sender, hello: z.array(z.enum(liveTopics)).max(20) }),
  /** How many events of a topic the sender has left out. */
  z.strictObject({
    ...sender,
    topic: z.enum(liveTopics),
    leftOut: z.number().int().nonnegative(),
  }),
  /** A command to one process, or to all. Its input is checked by the handler. */
  z.strictObject({
    to: processId.optional(),
    ...sender,
    command: commandId,
    kind: z.string().regex(/^[A-Za-z]{1,40}$/),
    input: z.record(z.string().max(100), z.unknown()),
  }),
  /** The answer of one process to a command. */
  z.strictObject({
    to: processId,
    ...sender,
    answer: commandId,
    status: z.enum(['DONE', 'FAILED']),
    message: z.string().max(2_000).optional(),
    result: z.unknown().optional(),
  }),
])

/** A message between processes. */
export type BusMessage = Readonly<z.infer<typeof busMessage>>

/** The message of a command. */
export type CommandMessage = Extract<BusMessage, { command: string }>

/** The message of an answer. */
export type AnswerMessage = Extract<BusMessage, { answer: string }>

/** The beginning of a message with an event: receivers without subscribers read no further. */
const eventStart = '{"event":'

/** The longest message with an event, in characters. */
const longestEvent = 65_536

/** The beginning of a message to one process: the others read no further. */
const addressStart = '{"to":"'

/** The text of a message. */
export function writeMessage(message: BusMessage): string {
  if (!('event' in message)) return JSON.stringify(message)
  const { event, ...rest } = message
  return JSON.stringify({ event, ...rest })
}

/** Whether a text is a message with an event. */
export function isEventMessage(text: string): boolean {
  return text.startsWith(eventStart)
}

/** Whether a text is a message to another process. */
export function isForAnother(text: string, self: string): boolean {
  return text.startsWith(addressStart) && !text.startsWith(`${addressStart}${self}"`)
}

/** Reads a message; `undefined` for one that is not of a gateway, or damaged. */
export function readMessage(text: string): BusMessage | undefined {
  if (text.length > longestMessage) return undefined
  try {
    const { data } = busMessage.safeParse(JSON.parse(text))
    return data && 'event' in data && text.length > longestEvent ? undefined : data
  } catch {
    return undefined
  }
}
