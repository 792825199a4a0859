import { startSandbox } from '../../src/sandbox/index.ts'
import { type TestGatewayOptions, createTestGateway } from '../../src/testing/gateway.ts'
import { dialects, type DialectName } from '../requests/dialects.ts'
import { accountOf } from './preset-rows.ts'

/** A gateway with one account of each preset, or of one of them, at a sandbox. */
export async function startScene(names: readonly string[], options: TestGatewayOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const accounts = names.map((name) => {
    const account = accountOf(name, sandbox.url)
    const models = Object.entries(account.models).map(([own, theirs]) => [`${name}/${own}`, theirs])
    return { ...account, models: Object.fromEntries(models) as Record<string, string> }
  })
  const gateway = starting.use(await createTestGateway({ accounts, ...options }))
  const started = starting.move()
  return {
    gateway,
    sandbox,
    async ask(client: DialectName, model: string, fields: object = {}) {
      const { path, credential, request } = dialects[client]
      const isStream = 'stream' in fields
      const own = path
        .replace('/m:', `/${model}:`)
        .replace(':generateContent', isStream ? ':streamGenerateContent?alt=sse' : '$&')
      const isInPath = client === 'generate'
      const { stream: _, ...rest } = fields as { stream?: true }
      const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
      const body = isInPath ? { contents, ...rest } : { ...request, model, ...fields }
      const reply = await fetch(gateway.url + own, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential(gateway.key) },
        body: JSON.stringify(body),
      })
      // A stream of Gemini has no event for its failure: the connection ends.
      const text = await reply.text().catch((error) => `"error" ${error}`)
      const sent = sandbox.requests.at(-1)
      return { status: reply.status, text, losses: reply.headers.get('x-dragoman-losses'), sent }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
