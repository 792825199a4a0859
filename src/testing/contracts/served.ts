import type { GatewayPlugin } from '../../contract/plugin.ts'
import { type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../gateway.ts'

/** A request of a client. */
interface Example {
  path(stream: boolean): string
  readonly fields: object
  /** Matches only a complete stream. */
  readonly ending: RegExp
}

const model = 'sandbox/words=2'
const messages = [{ role: 'user', content: 'hi' }]

/** One request of each shipped dialect. */
export const requests: readonly Example[] = [
  { path: () => '/v1/responses', fields: { input: 'hi' }, ending: /response\.completed/ },
  { path: () => '/v1/chat/completions', fields: { messages }, ending: /\[DONE\]/ },
  { path: () => '/v1/messages', fields: { max_tokens: 9, messages }, ending: /message_stop/ },
  {
    path: (stream) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    fields: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    ending: /"finishReason"/,
  },
]

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
      const isGenerate = 'contents' in fields
      const response = await fetch(gateway.url + path(stream), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          authorization: `Bearer ${gateway.key}`,
        },
        body: JSON.stringify(isGenerate ? fields : { model, stream, ...fields }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}
