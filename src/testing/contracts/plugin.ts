import { deepEqual, equal, ok } from 'node:assert/strict'

import type { GatewayPlugin } from '../../plugin.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { createTestGateway } from '../gateway.ts'
import type { ContractCheck } from './check.ts'

export interface PluginContractOptions {
  /** Makes the plugin; each check has one of its own. */
  make(): GatewayPlugin
}

const known = new Set(
  'name dialects http onExchange onAuthenticate onCall onCandidates onAttempt onProduced onOutcome critical onEnd onDispose'.split(
    ' ',
  ),
)

/** One request of each shipped dialect. */
const requests = [
  ['/v1/responses', { input: 'hi' }],
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }],
] as const

const accountSecret = 'sandbox-key-a'

/**
 * What a plugin keeps that lets calls through, checked with a whole gateway around it. With vitest:
 * `for (const check of pluginContract({ make: () => mine() })) test(check.name, check.run)`.
 */
export function pluginContract({ make }: PluginContractOptions): ContractCheck[] {
  return [
    {
      name: 'has no hook that nobody calls',
      async run() {
        deepEqual(
          Object.keys(make()).filter((name) => !known.has(name) && /^on[A-Z]/.test(name)),
          [],
        )
      },
    },
    ...[false, true].map((stream) => ({
      name: `lets every dialect through, ${stream ? 'streamed' : 'as JSON'}`,
      async run() {
        await using served = await serve(make())
        for (const [path, fields] of requests) {
          const { status, text } = await served.ask(path, { ...fields, stream })
          equal(status, 200, `${path}: ${text.slice(0, 200)}`)
          ok(text.length > 0, `${path} has a body`)
        }
      },
    })),
    {
      name: 'shows no secret in logs and replies',
      async run() {
        await using served = await serve(make())
        for (const [path, fields] of requests) {
          const { text, headers } = await served.ask(path, fields)
          served.shown.push(text, JSON.stringify([...headers]))
        }
        const lines = await served.gateway.logged(requests.length)
        const shown = [...served.shown, ...lines, ...served.gateway.log].map((one) =>
          JSON.stringify(one),
        )
        for (const secret of [served.gateway.key, accountSecret]) {
          ok(!shown.some((one) => one.includes(secret)), 'a secret is shown')
        }
      },
    },
    {
      name: 'may be disposed of twice',
      async run() {
        const plugin = make()
        await plugin.onDispose?.()
        await plugin.onDispose?.()
      },
    },
  ]
}

async function serve(plugin: GatewayPlugin) {
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
      },
    ],
  })
  return {
    gateway,
    shown: [] as string[],
    async ask(path: string, fields: object) {
      const response = await fetch(gateway.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          authorization: `Bearer ${gateway.key}`,
        },
        body: JSON.stringify({ model: 'sandbox/words=2', ...fields }),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
    },
  }
}
