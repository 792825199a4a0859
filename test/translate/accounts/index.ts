import type { DialectName } from '../clients/index.ts'
import { chatAccount } from './chat.ts'
import { generateAccount } from './generate.ts'
import { messagesAccount } from './messages.ts'
import { responsesAccount } from './responses.ts'
import type { AccountWriter } from './said.ts'

export type { AccountWriter, Cut, Said, SaidCall, SaidUsage } from './said.ts'

/** How accounts of each dialect write. */
export const writers: Readonly<Record<DialectName, AccountWriter>> = {
  chat: chatAccount,
  responses: responsesAccount,
  messages: messagesAccount,
  generate: generateAccount,
}
