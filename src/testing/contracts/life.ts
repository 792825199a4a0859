import { deepEqual, equal } from 'node:assert/strict'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import { within } from '../../lib/within.ts'
import type { ContractCheck } from './check.ts'
import { requests, serve } from './served.ts'

/** How long the gateway waits for a probe, in milliseconds. */
const probeMs = 1_000

/** The check of what a plugin does besides the calls: its start, tasks, probes, fields in the access log and end. */
export function lifeCheck(make: () => GatewayPlugin): ContractCheck {
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
