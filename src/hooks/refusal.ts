import type { RefusalSubject } from '../contract/refusal.ts'
import type { GatewayPlugin, RefusalInput } from '../contract/plugin.ts'
import { type HookOptions, aboutOf } from './plugin-failures.ts'

type Judge = GatewayPlugin & Required<Pick<GatewayPlugin, 'onRefusal'>>

/**
 * Returns the subject of an unclear refusal that the first answering plugin names. A plugin that fails is
 * reported, and has no answer.
 */
export async function firstSubject(
  plugins: readonly Judge[],
  input: RefusalInput,
  { onHookError }: Pick<HookOptions, 'onHookError'>,
): Promise<RefusalSubject | undefined> {
  for (const plugin of plugins) {
    try {
      const about = await plugin.onRefusal(input)
      if (about) return about
    } catch (error) {
      onHookError(plugin, 'onRefusal', error, aboutOf(input.exchange, plugin, input.candidate))
    }
  }
  return undefined
}
