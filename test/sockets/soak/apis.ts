import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import type { TestGateway } from '../../../src/testing/gateway.ts'
import { type Client, connectResponses, idOf, typesOf } from '../responses.ts'

/** What the sockets of a soak have done. */
export interface Tally {
  /** Responses that have ended, in whatever way. */
  responses: number
  /** Errors that their models ask for. */
  intended: number
  /** The last events of the other failures. */
  readonly failures: string[]
  /** Clients that have left in the middle of a response. */
  departures: number
}

/** An API over WebSocket, as a soak uses it. */
export interface Api {
  connect(gateway: TestGateway, model?: string): Promise<Client>
  /** Asks for a response. */
  create(client: Client, model: string): void
  /** The life of one socket: a response at least and some more, or a client that leaves in the middle of one. */
  session(gateway: TestGateway, number: number, tally: Tally, isOver: () => boolean): Promise<void>
}

/** The responses of one socket. */
const most = 10

/** The models of sockets, each with whether it fails: answers, slow words, calls of tools, accounts that break off, refusals. */
const models = [
  ['sandbox/echo', false],
  ['sandbox/words=30+pace=5', false],
  ['sandbox/cut=6', true],
  ['sandbox/status=400', true],
  ['nowhere', true],
  ['sandbox/tool', false],
] as const

const longWords = 'sandbox/words=200+pace=5'

async function leave(api: Api, client: Client, tally: Tally): Promise<void> {
  api.create(client, longWords)
  await client.next()
  tally.departures++
}

function count(tally: Tally, fails: boolean, failure: string | undefined): void {
  tally.responses++
  if (failure === undefined) return
  if (fails) tally.intended++
  else tally.failures.push(failure)
}

/** Responses over WebSocket: a chain on each socket, whose calls of tools get answers. */
const responses: Api = {
  connect: (gateway) => connectResponses(gateway),
  create: (client, model) => client.create({ model }),
  async session(gateway, number, tally, isOver) {
    await using client = await connectResponses(gateway)
    let next: JsonObject = { input: 'begin' }
    for (let turn = 0; turn < most; turn++) {
      if (turn > 0 && isOver()) return
      const [model, fails] = models[(number + turn) % models.length]!
      const events = await client.respond({ ...next, model, store: false })
      const isWhole = typesOf(events).at(-1) === 'response.completed'
      count(tally, fails, isWhole ? undefined : JSON.stringify(events.at(-1)))
      if (isWhole) next = { input: answersIn(events), previous_response_id: idOf(events) }
      client.forget()
    }
    await leave(responses, client, tally)
  },
}

/** The input behind a response: what its calls of tools return, and a text. */
function answersIn(events: readonly JsonObject[]): JsonObject[] {
  const { output } = objectAt(events.at(-1), 'response') ?? {}
  const items = Array.isArray(output) ? output.filter(isObject) : []
  return [
    ...items.flatMap(({ type, call_id }) =>
      type === 'function_call' ? [{ type: 'function_call_output', call_id, output: 'done' }] : [],
    ),
    { role: 'user', content: 'go on' },
  ]
}

/** The models of sessions: some accounts break off, end the session, or refuse it. */
const sessionModels = [...models, ['sandbox/eof=15', true]] as const

/** Realtime sessions: some responses on each. */
const realtime: Api = {
  connect: (gateway, model = 'sandbox/echo') =>
    connectResponses(gateway, { path: `/v1/realtime?model=${encodeURIComponent(model)}` }),
  create(client) {
    const content = [{ type: 'input_text', text: 'hello' }]
    const item = { type: 'message', role: 'user', content }
    client.socket.send(JSON.stringify({ type: 'conversation.item.create', item }))
    const response = { output_modalities: ['text'] }
    client.socket.send(JSON.stringify({ type: 'response.create', response }))
  },
  async session(gateway, number, tally, isOver) {
    const isLast = number % 3 === 2
    const [model, fails] = isLast
      ? ([longWords, false] as const)
      : sessionModels[number % sessionModels.length]!
    try {
      await using client = await realtime.connect(gateway, model)
      if (isLast) return await leave(realtime, client, tally)
      for (let turn = 0; turn === 0 || (turn < most && !isOver()); turn++) {
        realtime.create(client, model)
        const last = (await client.events()).at(-1)
        const isWhole = last?.['type'] === 'response.done'
        count(tally, fails, isWhole ? undefined : JSON.stringify(last))
        client.forget()
      }
    } catch (error) {
      count(tally, fails, String(error))
    }
  },
}

/** The APIs by the name that the command knows. */
export const apis = { responses, realtime } as const
