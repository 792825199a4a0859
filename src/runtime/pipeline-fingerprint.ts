import { hash } from 'node:crypto'

import { sourceOf } from '../configuration/plugins/source.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'

/**
 * A text that differs where a plugin of the pipeline beside `own` does: its name, its module and options, or the code
 * of its hooks. Of a plugin that code makes, what its hooks close over does not count.
 */
export function pipelineFingerprint(plugins: readonly GatewayPlugin[], own: GatewayPlugin): string {
  const facts = plugins
    .filter((plugin) => plugin !== own)
    .map((plugin) => [plugin.name, sourceOf(plugin)?.digest, codeOf(plugin)])
  return hash('sha256', JSON.stringify(facts), 'base64url')
}

function codeOf(plugin: GatewayPlugin): readonly string[] {
  return Object.values(plugin)
    .filter((member) => typeof member === 'function')
    .map(String)
}
