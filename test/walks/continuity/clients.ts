import type { Opening, Reply } from '../../matrix/conversation.ts'
import { drivers } from '../../matrix/drivers/index.ts'
import { type Client, tools } from './conversation.ts'
import { dialects, type Spoken } from './stage.ts'

/** A client that thinks and has tools, and sends back what its SDK gives, through this `fetch`. */
function clientOf(name: string, speaks: Spoken, send: Opening['fetch'] = fetch): Client {
  return {
    name,
    speaks,
    open(where) {
      let last: Reply | undefined
      const conversation = drivers[speaks].open({
        get url() {
          return where.gateway.url
        },
        get key() {
          return where.gateway.key
        },
        get model() {
          return where.model
        },
        get stream() {
          return where.stream
        },
        settings: { tools, reasoning: true },
        fetch: send,
      })
      const told = (reply: Reply) => {
        last = reply
        return { ...reply, calls: reply.calls.map(({ id = '', name }) => ({ id, name })) }
      }
      return {
        ask: async (text) => told(await conversation.say([{ text }])),
        async answer(given) {
          const results = (last?.calls ?? []).map((call, at) => ({ call, text: given[at]! }))
          return told(await conversation.answer(results.toReversed()))
        },
      }
    },
  }
}

interface Message {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly { id: string; type: string; function: { name: string } }[]
}

/** Keeps of an answer what the types of the SDK name, and nothing that stands beside it. */
const sendPlain: Opening['fetch'] = (input, init) => {
  const { messages, ...body } = JSON.parse(init?.body as string) as { messages: Message[] }
  const plain = messages.map(({ role, content, tool_calls: calls, ...message }) => {
    if (role !== 'assistant') return { role, content, ...message }
    const kept = calls?.map(({ id, type, function: called }) => ({ id, type, function: called }))
    return { role, content, ...(kept && { tool_calls: kept }) }
  })
  return fetch(input, { ...init, body: JSON.stringify({ ...body, messages: plain }) })
}

export const plainChatClient = clientOf('a chat client', 'chat', sendPlain)
export const messagesClient = clientOf('a messages client', 'messages')
export const generateClient = clientOf('a Gemini client', 'generate')

export const clients: readonly Client[] = [
  plainChatClient,
  clientOf('a chat client that sends back whatever it gets', 'chat'),
  messagesClient,
  clientOf('a responses client', 'responses'),
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
