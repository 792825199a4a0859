import { faithfulChatClient, plainChatClient } from './chat-client.ts'
import type { Client } from './conversation.ts'
import { generateClient } from './generate-client.ts'
import { messagesClient } from './messages-client.ts'
import { responsesClient } from './responses-client.ts'
import { dialects, type Spoken } from './stage.ts'

export const clients: readonly Client[] = [
  plainChatClient,
  faithfulChatClient,
  messagesClient,
  responsesClient,
  generateClient,
]

export interface Way {
  readonly client: Client
  readonly account: Spoken
  readonly stream: boolean
  readonly title: string
}

/** Every client with every account that speaks another dialect, streamed and not. */
export const foreignWays: readonly Way[] = clients.flatMap((client) =>
  dialects
    .filter((account) => account !== client.speaks)
    .flatMap((account) =>
      [false, true].map((stream) => ({
        client,
        account,
        stream,
        title: `${client.name} on an account of ${account}, ${stream ? 'streamed' : 'whole'}`,
      })),
    ),
)
