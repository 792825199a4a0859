import type { JsonObject } from '../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../src/lib/json/read.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'
import { type EchoClient, connect } from './echo.ts'

/** A gateway before two accounts of a sandbox. */
export interface Stage extends AsyncDisposable {
  readonly sandbox: Sandbox
  readonly gateway: TestGateway
}

export type Accounts = NonNullable<TestGatewayOptions['accounts']>

export async function startStage(
  options: TestGatewayOptions = {},
  account: Partial<Accounts[number]> = {},
  eventDelayMs = 0,
): Promise<Stage> {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox({ pace: { eventDelayMs } }))
  const shared = { provider: 'sandbox', baseUrl: sandbox.url, models: ['sandbox/*'], ...account }
  const accounts = ['a', 'b'].map((id) => ({ ...shared, id, apiKey: `sandbox-key-${id}` }))
  const gateway = starting.use(await createTestGateway({ accounts, ...options }))
  const started = starting.move()
  return { sandbox, gateway, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** A client of Responses over WebSocket. */
export interface Client extends EchoClient {
  /** Sends a `response.create`. */
  create(body?: JsonObject): void
  /** Resolves with the events up to the end of a response, or with an error. */
  events(streamId?: string): Promise<JsonObject[]>
  /** Drops the texts that have been read. */
  forget(): void
  /** Both. */
  respond(body?: JsonObject): Promise<JsonObject[]>
}

const lastEvents = [
  'response.completed',
  'response.incomplete',
  'response.failed',
  // Of a realtime session.
  'response.done',
  'error',
]

/** `path`: of another API with the same last events. */
export async function connectResponses(
  { url, key }: Pick<TestGateway, 'url' | 'key'>,
  {
    path = '/v1/responses',
    ...options
  }: Parameters<typeof connect>[1] & { readonly path?: string } = {},
): Promise<Client> {
  const client = await connect(url + path, { key, ...options })
  let read = 0
  const pending: (() => void)[] = []
  client.socket.on('message', () => pending.splice(0).forEach((go) => go()))
  client.socket.once('close', () => pending.splice(0).forEach((go) => go()))
  const create = (body: JsonObject = {}) =>
    client.socket.send(
      JSON.stringify({ type: 'response.create', model: 'sandbox/echo', input: 'hi', ...body }),
    )
  const events = async (streamId?: string) => {
    const all: JsonObject[] = []
    for (;;) {
      const text = client.texts[read]
      if (text === undefined) {
        if (client.socket.readyState === client.socket.CLOSED) throw new Error('closed')
        await new Promise<void>((resolve) => pending.push(resolve))
        continue
      }
      read++
      const event = JSON.parse(text) as JsonObject
      if (streamId !== undefined && event.stream_id !== streamId) continue
      all.push(event)
      if (lastEvents.includes(event.type as string)) return all
    }
  }
  return {
    ...client,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
    create,
    events,
    forget() {
      client.texts.splice(0, read)
      read = 0
    },
    respond(body) {
      create(body)
      return events()
    },
  }
}

export const typesOf = (events: readonly JsonObject[]) => events.map(({ type }) => type)

/** The id of a complete response. */
export function idOf(events: readonly JsonObject[]): string {
  return stringAt(objectAt(events.at(-1), 'response'), 'id') ?? ''
}
