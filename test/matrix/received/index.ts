import type { RecordedRequest } from '../../../src/sandbox/recording.ts'
import type { AccountName } from '../dialects.ts'
import { readChatRequest } from './chat.ts'
import { readConverseRequest } from './converse.ts'
import { readGenerateRequest } from './generate.ts'
import { readMessagesRequest } from './messages.ts'
import type { Received } from './received.ts'
import { readResponsesRequest } from './responses.ts'

export type { Received, ReceivedTurn } from './received.ts'

type Reader = (body: never, url: string) => Received

const readers: Readonly<Record<AccountName, Reader>> = {
  responses: readResponsesRequest,
  chat: readChatRequest,
  messages: readMessagesRequest,
  generate: readGenerateRequest,
  converse: readConverseRequest,
}

/** What an account of this dialect was asked for. The sandbox has checked the body's shape. */
export function readReceived(account: AccountName, { body, url }: RecordedRequest): Received {
  return readers[account](JSON.parse(body.toString()) as never, url)
}
