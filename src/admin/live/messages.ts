import { z } from 'zod'

import { longestMessage } from '../../stores/bus-port.ts'
import { liveEvent, liveTopics } from './events.ts'

const sender = {
  /** The id of the process. */
  from: z.string().regex(/^[\w.-]{1,64}$/),
  /** The number of events, and of numbers of left out ones, that it has sent, this one included. */
  sent: z.number().int().nonnegative(),
}

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
  /** A command waits in the store. */
  z.strictObject({ ...sender, command: z.literal(true) }),
])

/** A message between processes. */
export type BusMessage = Readonly<z.infer<typeof busMessage>>

/** The beginning of a message with an event: receivers without subscribers read no further. */
const eventStart = '{"event":'

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

/** Reads a message; `undefined` for one that is not of a gateway, or damaged. */
export function readMessage(text: string): BusMessage | undefined {
  if (text.length > longestMessage) return undefined
  try {
    return busMessage.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
