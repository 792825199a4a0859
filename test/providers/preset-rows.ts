import { servers } from '../../src/sandbox/presets/quirks.ts'

/** Accounts of presets at a sandbox, by the names of their providers. */
export const presetNames = Object.keys(servers)

/** Providers whose own models their preset knows by name. */
const ownNames: Record<string, string> = { xai: 'grok-4', moonshot: 'kimi-k2' }

/** An account of a preset: `m` is a model of its own, and `x/...` is steered by its name. */
export function accountOf(name: string, url: string) {
  return {
    id: name,
    provider: name,
    baseUrl: `${url}/${name}${servers[name]!.chat}`,
    apiKey: 'sandbox-key-a',
    models: { m: ownNames[name] ?? 'own-model', 'x/*': 'sandbox/*' },
  }
}
