import { chatReader } from './chat.ts'
import { generateReader } from './generate.ts'
import { messagesReader } from './messages.ts'
import type { ClientReader } from './reading.ts'
import { responsesReader } from './responses.ts'

export type { ClientReader, ReadCall, Reading, ReadUsage } from './reading.ts'
export { IllFormed } from './reading.ts'

/** The four dialects of text generation, by the names that accounts list in `speaks`. */
export const dialectNames = ['chat', 'responses', 'messages', 'generate'] as const

export type DialectName = (typeof dialectNames)[number]

/** How clients of each dialect read: written from the SDKs' types, and knowing nothing of codecs. */
export const readers: Readonly<Record<DialectName, ClientReader>> = {
  chat: chatReader,
  responses: responsesReader,
  messages: messagesReader,
  generate: generateReader('events'),
}
