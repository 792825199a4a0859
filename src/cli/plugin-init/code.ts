/** The modules that the generated code imports, apart from the imports of this file. */
const gateway = 'dragoman'
const module = '../src/index.ts'

/** The module of a new plugin. */
export function moduleOf(name: string): string {
  return withoutMargin(`
    | import { GatewayError, type GatewayPlugin, type Received, type Turn, definePlugin } from '${gateway}'
    | import { z } from 'zod'
    |
    | /** The options, which a configuration has beside \`use\`. The schema refuses others and has the defaults. */
    | export const options = z.strictObject({
    |   maxCharacters: z.int().positive().default(20_000).describe('characters of text in a request'),
    | })
    |
    | /** Refuses requests that are too long, and writes their lengths into the access log. */
    | export default function plugin(given: z.input<typeof options> = {}): GatewayPlugin {
    |   // The gateway has checked them already; a configuration in TypeScript may call this function itself.
    |   const { maxCharacters } = options.parse(given)
    |   // The exchange is one object in all hooks of a call.
    |   const lengths = new WeakMap<Received, number>()
    |
    |   return definePlugin({
    |     name: '${name}',
    |
    |     // Runs once for each request for text, before an account is chosen. \`request\` has the same form for each dialect that a client
    |     // speaks. Accounts get what the hook returns: the same request, or a changed copy.
    |     onRequest({ exchange, request }) {
    |       const length = request.turns.flatMap(textsOf).join('').length
    |       lengths.set(exchange, length)
    |       if (length <= maxCharacters) return request
    |       // The client gets this message with the status 422, in the form that its SDK understands.
    |       throw new GatewayError('plugin_rejected', \`The request has more than \${maxCharacters} characters.\`)
    |     },
    |
    |     // The line of the call in the access log has these fields below \`plugins\` and the name of the plugin.
    |     onAccessLog: ({ exchange }) => ({ characters: lengths.get(exchange) }),
    |   })
    | }
    |
    | function textsOf(turn: Turn): string[] {
    |   const parts = turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
    |   return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    | }
  `)
}

/** The test of a new plugin. */
export function testOf(name: string): string {
  return withoutMargin(`
    | import assert from 'node:assert/strict'
    | import { test } from 'node:test'
    |
    | import { createTestGateway, pluginContract, startSandbox } from '${gateway}/testing'
    |
    | import plugin, { options } from '${module}'
    |
    | // The rules that every plugin keeps, in a running gateway.
    | for (const check of pluginContract({ make: () => plugin() })) test(check.name, check.run)
    |
    | test('a request that is too long is refused, and the access log has the lengths', async () => {
    |   // An account that needs no network: it repeats what it hears.
    |   await using sandbox = await startSandbox()
    |   const account = { id: 'a', provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
    |   await using gateway = await createTestGateway({
    |     accounts: [{ ...account, models: ['*'] }],
    |     plugins: [plugin({ maxCharacters: 10 })],
    |   })
    |
    |   const ask = async (content: string) => {
    |     const response = await fetch(\`\${gateway.url}/v1/chat/completions\`, {
    |       method: 'POST',
    |       headers: { authorization: \`Bearer \${gateway.key}\` },
    |       body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content }] }),
    |     })
    |     return { status: response.status, text: await response.text() }
    |   }
    |   const short = await ask('Hello')
    |   assert.equal(short.status, 200)
    |   assert.match(short.text, /You said: Hello/)
    |   const long = await ask('Hello, hello')
    |   assert.equal(long.status, 422)
    |   assert.match(long.text, /more than 10 characters/)
    |
    |   const lines = await gateway.logged(2)
    |   const logged = lines.map(({ plugins }) => plugins)
    |   assert.deepEqual(logged, [
    |     { '${name}': { characters: 5 } },
    |     { '${name}': { characters: 12 } },
    |   ])
    | })
    |
    | test('options that the plugin does not know are refused', () => {
    |   const { error } = options.safeParse({ maxCharacter: 10 })
    |   assert.deepEqual(error?.issues[0]?.code, 'unrecognized_keys')
    | })
  `)
}

/** The code behind the margin "| ", which sets it apart from the code of this file. */
function withoutMargin(text: string): string {
  const lines = text.split('\n').slice(1, -1)
  return lines.map((line) => `${line.replace(/^ *\| ?/, '')}\n`).join('')
}
