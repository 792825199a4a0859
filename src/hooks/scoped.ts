import { type GatewayPlugin, hookNames } from '../contract/plugin.ts'
import { defined } from '../lib/json/object.ts'
import { inScope, outOfScope } from '../lib/named-scope.ts'
import { withinOwnTime } from './own-time.ts'
import { scopedDialect } from './scoped-dialect.ts'

type AnyHook = (this: GatewayPlugin, input: unknown) => unknown

/** The hooks that a call waits for, with deadlines of their own. */
const bounded: ReadonlySet<string> = new Set([
  'onExchange',
  'onAuthenticate',
  'onCaller',
  'onUnderstood',
  'onCall',
  'onCandidates',
  'onAttempt',
  'onRefusal',
])

/**
 * The same plugin for a gateway, with its hooks within their time and in a scope of its name: an error in a timer
 * or a promise of a hook, which belongs to no call, is then logged with the name. The shipped plugins do without,
 * since a scope costs each hook of each call some time.
 */
export function scoped(plugin: GatewayPlugin, pluginMs: number): GatewayPlugin {
  const { name, critical, dialects, providers, storages, files, http } = plugin
  const hooks = hookNames.flatMap((hookName) => {
    const hook = plugin[hookName as keyof GatewayPlugin] as AnyHook | undefined
    if (hook === undefined) return []
    const call = (input: unknown) =>
      inScope(name, () => Reflect.apply(hook, plugin, [withOwnNext(input)]))
    if (!bounded.has(hookName)) return [[hookName, call]]
    return [[hookName, (input: object) => withinOwnTime(pluginMs, input, call)]]
  })
  return {
    name,
    ...defined({ critical, providers, storages, files, http }),
    ...(Array.isArray(dialects) && {
      dialects: dialects.map((dialect) => scopedDialect(dialect, name)),
    }),
    ...(Object.fromEntries(hooks) as Partial<GatewayPlugin>),
  }
}

/** `next` calls the gateway and other plugins, so that it leaves the scope of the plugin. */
function withOwnNext(input: unknown): unknown {
  const { next } = Object(input) as { next?: (...given: unknown[]) => unknown }
  if (!next) return input
  return { ...(input as object), next: (...given: unknown[]) => outOfScope(() => next(...given)) }
}
