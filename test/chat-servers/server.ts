import { type Answer, type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'
import { type DialectName, type Reading, readers } from '../translate/clients/index.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { type AccountSettings, accountFor } from '../walks/streams/scripted.ts'

export type Json = Readonly<Record<string, unknown>>

interface Asking {
  readonly stream?: boolean
  readonly model?: string
  readonly fields?: Json
}

/** A gateway before one server that speaks the Chat Completions API, or the Gemini API, in its own way. */
export interface Server extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
  /** Has a client ask for a reply in one piece, or for a stream. */
  ask(client: DialectName, options?: Asking): Promise<Asked>
}

interface Asked {
  readonly status: number
  readonly text: string
  /** The fields that are named as lost. */
  readonly losses: string | null
  /** What the client understands. Throws for what its SDK cannot read. */
  read(): Reading
}

export async function startServer(
  answer: Answer,
  speaks: DialectName = 'chat',
  options: Omit<TestGatewayOptions, 'accounts'> = {},
  settings: Partial<AccountSettings> = {},
): Promise<Server> {
  const account = await startFakeAccount(answer)
  const only = accountFor(form[speaks], 'the-only', account.url, settings)
  const gateway = await createTestGateway({
    ...options,
    accounts: [{ ...only, ...(speaks !== 'generate' && { speaks: [speaks] }) }],
  })
  return {
    gateway,
    account,
    async ask(client, { stream = false, model = 'm', fields = {} } = {}) {
      const response = await ask(gateway, form[client], { stream, model, fields })
      const { text } = await receive(response)
      const reader = readers[client]
      const read = () => (stream ? reader.stream(text) : reader.body(JSON.parse(text) as never))
      const losses = response.headers.get('x-dragoman-losses')
      return { status: response.status, text, losses, read }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

/** The frames of a stream with these chunks; a text is a frame as it stands. */
export function framesOf(chunks: readonly (Json | string)[]): string {
  return chunks
    .map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`)
    .join('')
}

/** Streams these chunks. */
export function streaming(
  chunks: readonly (Json | string)[],
  contentType = 'text/event-stream',
): Answer {
  return (response) => {
    if (contentType) response.setHeader('content-type', contentType)
    response.writeHead(200).end(framesOf(chunks))
  }
}

/** A chunk of a chat stream with one choice. */
export function chunkOf(delta: Json, finish?: string | null): Json {
  const reason = finish === undefined ? {} : { finish_reason: finish }
  const choices = [{ index: 0, delta, ...reason }]
  return { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
}

/** A complete chat reply with one choice. */
export function completionOf(message: Json, finish: string | null): Json {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }]
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
  return { id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices, usage }
}
