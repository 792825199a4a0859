import type { GatewayPlugin } from '../../contract/plugin.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../gateway.ts'

/** A request of a client. */
export interface Example {
  readonly dialect: string
  path(stream: boolean): string
  readonly fields: object
  /** Matches only a complete stream. */
  readonly ending: RegExp
}

const model = 'sandbox/words=2'
const messages = [{ role: 'user', content: 'hi' }]

/** One request for a model of each shipped dialect. */
export function requestsFor(name: string): readonly Example[] {
  return [
    {
      dialect: 'messages',
      path: () => '/v1/messages',
      fields: { max_tokens: 9, messages },
      ending: /message_stop/,
    },
    {
      dialect: 'chat',
      path: () => '/v1/chat/completions',
      fields: { messages },
      ending: /\[DONE\]/,
    },
    {
      dialect: 'responses',
      path: () => '/v1/responses',
      fields: { input: 'hi' },
      ending: /response\.completed/,
    },
    {
      dialect: 'generate',
      path: (stream) =>
        `/v1beta/models/${name}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      fields: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      ending: /"finishReason"/,
    },
  ]
}

/** One request of each shipped dialect, for a model of the sandbox. */
export const requests: readonly Example[] = requestsFor(model)

/** The header that Messages clients send. */
export const version = { 'anthropic-version': '2023-06-01' } as const

/** The body of an example. Gemini clients name model and stream in the path. */
export function bodyOf(fields: object, name: string, stream: boolean): object {
  return 'contents' in fields ? fields : { model: name, stream, ...fields }
}

/** `speaks` of the tested accounts: all dialects, and only Messages, which needs translation. */
export const servedDialects = [undefined, ['messages']] as const

/** The key of the account. */
export const accountSecret = 'sandbox-key-a'

/** A plugin in a running gateway before an account of the sandbox. */
export interface Served extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly sandbox: Sandbox
  /** Further texts in which no secret may be. */
  readonly shown: string[]
  ask(
    example: Example,
    stream: boolean,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>
}

/** Starts a gateway with a plugin. `speaks`: the dialects of the account. Absent: all of them. */
export async function serve(plugin: GatewayPlugin, speaks?: readonly string[]): Promise<Served> {
  const sandbox = await startSandbox()
  const gateway = await createTestGateway({
    plugins: [plugin],
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: accountSecret,
        models: ['*'],
        ...(speaks && { speaks: [...speaks] }),
      },
    ],
  })
  return {
    gateway,
    sandbox,
    shown: [] as string[],
    async ask({ path, fields }: Example, stream: boolean) {
      const response = await fetch(gateway.url + path(stream), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...version,
          authorization: `Bearer ${gateway.key}`,
        },
        body: JSON.stringify(bodyOf(fields, model, stream)),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}
