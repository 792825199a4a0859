import { chatClient } from './chat.ts'
import type { Client } from './client.ts'
import { generateClient } from './generate.ts'
import { messagesClient } from './messages.ts'
import { responsesClient } from './responses.ts'

export const names = ['responses', 'chat', 'messages', 'generate'] as const

export type DialectName = (typeof names)[number]

/** The official SDKs of the shipped dialects. */
export const clients: Readonly<Record<DialectName, Client>> = {
  responses: responsesClient,
  chat: chatClient,
  messages: messagesClient,
  generate: generateClient,
}
