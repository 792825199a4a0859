import type { RecordedRequest } from '../../../src/sandbox/recording.ts'
import type { DialectName } from '../dialects.ts'
import { readChatRequest } from './chat.ts'
import { readGenerateRequest } from './generate.ts'
import { readMessagesRequest } from './messages.ts'
import type { Received } from './received.ts'
import { readResponsesRequest } from './responses.ts'

export type { Received, ReceivedTurn } from './received.ts'

type Reader = (body: never, url: string) => Received

const readers: Readonly<Record<DialectName, Reader>> = {
  responses: readResponsesRequest,
  chat: readChatRequest,
  messages: readMessagesRequest,
  generate: readGenerateRequest,
}

/** What an account of this dialect was asked for. The sandbox has checked the body's shape. */
export function readReceived(account: DialectName, { body, url }: RecordedRequest): Received {
  return readers[account](JSON.parse(body.toString()) as never, url)
}
