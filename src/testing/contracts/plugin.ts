import { deepEqual, equal, match, ok } from 'node:assert/strict'

import { type GatewayPlugin, hookNames } from '../../contract/plugin.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { createTestGateway } from '../gateway.ts'
import type { ContractCheck } from './check.ts'

/** The options of `pluginContract`. */
export interface PluginContractOptions {
  /** Creates the plugin; each check uses a new one. */
  make(): GatewayPlugin
}

interface Example {
  path(stream: boolean): string
  readonly fields: object
  /** Matches only a complete stream. */
  readonly ending: RegExp
}

const model = 'sandbox/words=2'
const messages = [{ role: 'user', content: 'hi' }]

/** One request of each shipped dialect. */
const requests: readonly Example[] = [
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
const accountDialects = [undefined, ['messages']] as const

const accountSecret = 'sandbox-key-a'

/**
 * The contract of a plugin that lets calls through, checked in a running gateway. With vitest:
 * `for (const check of pluginContract({ make: () => mine() })) test(check.name, check.run)`.
 */
export function pluginContract({ make }: PluginContractOptions): ContractCheck[] {
  return [
    {
      name: 'has no unknown hook',
      async run() {
        deepEqual(
          Object.keys(make()).filter((name) => /^on[A-Z]/.test(name) && !hookNames.includes(name)),
          [],
        )
      },
    },
    ...[false, true].map((stream) => ({
      name: `lets every dialect through, ${stream ? 'streamed' : 'as JSON'}`,
      async run() {
        for (const speaks of accountDialects) {
          await using served = await serve(make(), speaks)
          for (const example of requests) {
            const { status, text } = await served.ask(example, stream)
            equal(status, 200, `${example.path(stream)}: ${text.slice(0, 200)}`)
            ok(text.length > 0, `${example.path(stream)} has a body`)
            // Without its last event, a stream is an error for the client.
            if (stream) match(text, example.ending, `${example.path(stream)} is complete`)
          }
        }
      },
    })),
    {
      name: 'shows no secret in logs and replies',
      async run() {
        await using served = await serve(make())
        for (const example of requests) {
          const { text, headers } = await served.ask(example, false)
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
      name: 'can be disposed of twice',
      async run() {
        const plugin = make()
        await plugin.onDispose?.()
        await plugin.onDispose?.()
      },
    },
  ]
}

async function serve(plugin: GatewayPlugin, speaks?: readonly string[]) {
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
