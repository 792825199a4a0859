import { GatewayError } from '../errors.ts'
import type { Routed } from '../exchange.ts'
import type { EventMapper } from '../generate/mapper.ts'
import type { GatewayPlugin } from '../plugin.ts'
import type { HookOptions } from './compose.ts'
import { namedMapper } from './named-mapper.ts'
import { aboutOf } from './plugin-failures.ts'

type Editor = GatewayPlugin & Required<Pick<GatewayPlugin, 'onEvents'>>

/** The one mapper of a plugin, or none. Where it fails operators read why, and the client that. */
export function mapperOf(
  plugin: Editor,
  exchange: Routed,
  { onHookError }: HookOptions,
): readonly EventMapper[] {
  const failed = (error: unknown) => {
    onHookError(plugin, 'onEvents', error, aboutOf(exchange, plugin, exchange.candidate))
    const message = 'A plugin of the gateway failed on this reply.'
    return new GatewayError('plugin_failed', message, { cause: error })
  }
  try {
    const mapper = plugin.onEvents({ exchange })
    return mapper ? [namedMapper(mapper, failed)] : []
  } catch (error) {
    throw GatewayError.isInstance(error) ? error : failed(error)
  }
}
