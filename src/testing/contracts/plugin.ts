import { deepEqual, equal, match, ok } from 'node:assert/strict'

import { type GatewayPlugin, hookNames } from '../../contract/plugin.ts'
import { within } from '../../lib/deadline.ts'
import { changeChecks } from './changes.ts'
import type { ContractCheck } from './check.ts'
import { accountSecret, requests, serve, servedDialects } from './served.ts'

/** The options of `pluginContract`. */
export interface PluginContractOptions {
  /** Creates the plugin; each check uses a new one. */
  make(): GatewayPlugin
}

/**
 * The contract of a plugin that lets calls through, checked in a running gateway, with its start, tasks, probes
 * and end, and what it has of `onRequest` and `onEvents`. Its calls have the API key with the id `test`. With vitest:
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
        for (const speaks of servedDialects) {
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
    lifeCheck(make),
    ...changeChecks(make),
  ]
}

/** How long the gateway waits for a probe, in milliseconds. */
const probeMs = 1_000

/** The check of what a plugin does besides the calls: its start, tasks, probes, fields in the access log and end. */
function lifeCheck(make: () => GatewayPlugin): ContractCheck {
  return {
    name: 'starts, serves and ends without a failure',
    async run() {
      const plugin = make()
      const log = await live(plugin)
      // Failures of which no client learns. What the plugin itself logs is no failure.
      const failures = log.filter(({ msg }) => String(msg).startsWith(`${plugin.name}: `))
      deepEqual(failures, [])
    },
  }
}

/** The log of a gateway from its start to its end. */
async function live(plugin: GatewayPlugin) {
  await using served = await serve(plugin)
  await Promise.all(requests.map((example) => served.ask(example, false)))
  await served.gateway.logged(requests.length)
  for (const [name, probe] of Object.entries(plugin.probes ?? {})) {
    const late = () => new Error(`The probe ${name} did not finish within ${probeMs} ms.`)
    const result = await within(probeMs, Promise.resolve(probe()), late)
    equal(typeof result.ok, 'boolean', `the probe ${name} has no result`)
  }
  return served.gateway.log
}
