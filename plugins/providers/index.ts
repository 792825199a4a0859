import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { presets } from './presets.ts'
import { vertex } from './vertex.ts'

/** Returns the plugin that adds providers whose accounts speak the shipped dialects (docs/providers.md). */
export function providers(): GatewayPlugin {
  return definePlugin({ name: 'providers', providers: { azure, bedrock, vertex, ...presets } })
}
