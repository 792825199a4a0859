import { startSandbox } from '../../../src/sandbox/index.ts'
import { vectorOf } from '../../../src/sandbox/text/vector.ts'
import { type Answer, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGatewayOptions, createTestGateway } from '../../../src/testing/gateway.ts'

/** Any value of JSON. */
export type Json = ReturnType<typeof JSON.parse>

/** The dialects with embeddings. */
export const families = ['embeddings', 'embed-content', 'predict'] as const

/** A request of each dialect for the embedding of one text. */
export const requestOf = {
  embeddings: (text: string, model = 'm') => ({
    path: '/v1/embeddings',
    body: { model, input: [text] } as object,
  }),
  'embed-content': (text: string, model = 'm') => ({
    path: `/v1beta/models/${model}:embedContent`,
    body: { content: { parts: [{ text }] } } as object,
  }),
  predict: (text: string, model = 'm') => ({
    path: `/v1beta1/publishers/google/models/${model}:predict`,
    body: { instances: [{ content: text }] } as object,
  }),
}

/** The vector of the sandbox. */
export const sandboxVector = vectorOf

/** A gateway whose one account of the sandbox speaks one of the dialects. */
export async function embeddingStage(
  speaks: string[],
  options: TestGatewayOptions = {},
  models: Record<string, string> = { m: 'sandbox/echo', 'sandbox/*': 'sandbox/*' },
) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const account = { provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a', speaks }
  const gateway = starting.use(
    await createTestGateway({
      accounts: [{ id: 'a', ...account, models }],
      ...options,
    }),
  )
  return stageOf({ sandbox, gateway }, starting.move())
}

/** A gateway in front of accounts that answer so, in the order of their priority. */
export async function accountStage(
  answers: readonly Answer[],
  {
    provider = 'openai',
    models = ['m'] as string[] | Record<string, string>,
    speaks,
    ...options
  }: {
    readonly provider?: string
    readonly models?: string[] | Record<string, string>
    readonly speaks?: string[]
  } & Omit<TestGatewayOptions, 'models'> = {},
) {
  await using starting = new AsyncDisposableStack()
  const servers = await Promise.all(answers.map((answer) => startFakeAccount(answer)))
  for (const server of servers) starting.use(server)
  const version = provider.startsWith('openai') ? '/v1' : ''
  const gateway = starting.use(
    await createTestGateway({
      accounts: servers.map((server, index) => ({
        id: `account-${index}`,
        provider,
        baseUrl: server.url + version,
        apiKey: 'key-of-account',
        models,
        ...(speaks && { speaks }),
        priority: index,
      })),
      ...options,
    }),
  )
  return stageOf({ servers, gateway }, starting.move())
}

function stageOf<Parts extends { gateway: Awaited<ReturnType<typeof createTestGateway>> }>(
  parts: Parts,
  stack: AsyncDisposableStack,
) {
  const { gateway } = parts
  return {
    ...parts,
    async post({ path, body }: { path: string; body: object }, headers: object = {}) {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: JSON.parse(text),
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
