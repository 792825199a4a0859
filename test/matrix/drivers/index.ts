import type { Driver } from '../conversation.ts'
import type { DialectName } from '../dialects.ts'
import { chatDriver } from './chat.ts'
import { generateDriver } from './generate.ts'
import { messagesDriver } from './messages.ts'
import { responsesDriver } from './responses.ts'

export const drivers: Readonly<Record<DialectName, Driver>> = {
  responses: responsesDriver,
  chat: chatDriver,
  messages: messagesDriver,
  generate: generateDriver,
}
